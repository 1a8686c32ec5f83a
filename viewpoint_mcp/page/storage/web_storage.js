// Reads or changes a storage area of the document. It runs in the isolated world, because the page may have replaced the
// methods of its own Storage.
function accessStorage(areaName, action, key, value) {
  "use strict";
  const actions = {
    // Object.keys would omit names of methods, such as "key".
    list: (area) => Array.from({ length: area.length }, (_, index) => area.key(index)).map((name) => [name, area.getItem(name)]),
    get: (area) => area.getItem(key),
    set: (area) => area.setItem(key, value),
    remove: (area) => {
      const exists = area.getItem(key) !== null;
      area.removeItem(key);
      return exists;
    },
    clear: (area) => {
      const count = area.length;
      area.clear();
      return count;
    },
  };
  try {
    const area = window[areaName];
    // The origin of a file is opaque for `origin`, but not for storage.
    return { origin: window.origin === "null" ? "file://" : window.origin, value: actions[action](area) };
  } catch (error) {
    return { fault: error.name };
  }
}
