// Runs in an isolated world before the page's scripts, and records the entries of the timeline.
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

// Of fewer than fifty interactions INP is the slowest. The timeline reports those above 16 ms, and
// always the first one.
const isReported = { click: false };
const interact = (entry) => {
  if (entry.interactionId) vitals.INP = Math.max(vitals.INP ?? 0, entry.duration);
  isReported.click ||= entry.name === "click";
};
observe("event", interact, { durationThreshold: 16 });
observe("first-input", interact);

/** Return the vitals. After a click, wait until the timeline reports it; a fast click is not reported. */
const measured = async () => {
  for (let turn = 0; navigator.userActivation.hasBeenActive && !isReported.click && turn < 20; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return vitals;
};
