// The middle of the control with this text or label; where a bare click goes.
(name) => {
  const named = (element) =>
    [element.getAttribute("aria-label"), element.textContent, element.labels?.[0]?.textContent]
      .some((text) => text?.trim() === name);
  const found = [...document.querySelectorAll("a, button, input")].find(named);
  if (!found) return null;
  const box = found.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
