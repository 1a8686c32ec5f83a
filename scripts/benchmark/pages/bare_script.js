// The least a snapshot by script can cost: role, name, style and box of every element, as one string.
(() => {
  const rows = [];
  for (const element of document.body.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const text = element.childElementCount === 0 ? element.textContent.trim() : "";
    rows.push([
      element.getAttribute("role") ?? element.localName,
      element.getAttribute("aria-label") ?? text,
      style.display, style.visibility, style.opacity, style.cursor,
      box.x, box.y, box.width, box.height,
    ]);
  }
  return JSON.stringify(rows);
})()
