// Runs in a world of its own before the page's scripts, and keeps what the timeline tells.
const vitals = { LCP: null, INP: null, CLS: 0, FCP: null, TTFB: null, largest: null };

const observe = (type, see, options) =>
  new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({
    type,
    buffered: true,
    ...options,
  });

observe("navigation", (entry) => {
  vitals.TTFB = entry.responseStart;
});

observe("paint", (entry) => {
  if (entry.name === "first-contentful-paint") vitals.FCP = entry.startTime;
});

observe("largest-contentful-paint", (entry) => {
  vitals.LCP = entry.startTime;
  const element = entry.element;
  vitals.largest = element ? element.cloneNode(false).outerHTML.slice(0, 100) : entry.url || null;
});

// Shifts less than a second apart make a window of at most five seconds; the worst one counts.
const shifts = { sum: 0, first: 0, last: -Infinity };
observe("layout-shift", (entry) => {
  if (entry.hadRecentInput) return;
  const at = entry.startTime;
  if (at - shifts.last >= 1000 || at - shifts.first >= 5000) Object.assign(shifts, { sum: 0, first: at });
  shifts.last = at;
  shifts.sum += entry.value;
  vitals.CLS = Math.max(vitals.CLS, shifts.sum);
});

// Of fewer than fifty interactions INP is the slowest. The timeline tells of those above 16 ms, and
// of the first one in any case.
const isTold = { click: false };
const interact = (entry) => {
  if (entry.interactionId) vitals.INP = Math.max(vitals.INP ?? 0, entry.duration);
  isTold.click ||= entry.name === "click";
};
observe("event", interact, { durationThreshold: 16 });
observe("first-input", interact);

/** What was measured; once the timeline tells of a click, if somebody clicked and it was slow. */
const measured = async () => {
  for (let turn = 0; navigator.userActivation.hasBeenActive && !isTold.click && turn < 20; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return vitals;
};
