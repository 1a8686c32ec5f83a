// Makes of a value what says more when it is serialized: of an error its words, of a typed array its
// numbers, of an object of the browser its properties. Runs in the page's own world, so it may meet
// anything; whoever calls it has the plain value as well.
(whole) => {
  const DEEPEST = 12;
  const path = [];
  let left = 20000;

  function named(value) {
    const made = value.constructor;
    return `[${(typeof made === "function" && made.name) || "object"}]`;
  }

  function property(value, key, depth) {
    left--;
    try {
      return plain(value[key], depth + 1);
    } catch (error) {
      return `[threw ${error}]`;
    }
  }

  function list(value, depth) {
    const items = [];
    for (let at = 0; at < value.length && left > 0; at++) items[at] = property(value, at, depth);
    if (items.length < value.length) items[items.length] = `[${value.length - items.length} more]`;
    return items;
  }

  function record(value, depth, keys) {
    const made = Object.create(null);
    for (const key of keys) {
      const held = property(value, key, depth);
      if (typeof held !== "function") made[key] = held;
    }
    return made;
  }

  // An object of the browser's, whose properties are its prototype's.
  function platform(value, depth) {
    if (typeof value.length === "number" && Symbol.iterator in value) return list(value, depth);
    if (typeof value.entries === "function") {
      const made = Object.create(null);
      for (const [key, held] of value.entries()) {
        const one = plain(held, depth + 1);
        made[key] = key in made ? [].concat(made[key], one) : one;
      }
      return made;
    }
    let keys = Object.keys(value);
    if (keys.length) return record(value, depth, keys);
    if (depth > 0) return named(value);
    keys = [];
    for (const key in value) if (typeof value[key] !== "function") keys[keys.length] = key;
    return keys.length ? record(value, depth, keys) : named(value);
  }

  function inside(value, depth) {
    if (value instanceof Error || value instanceof DOMException) return `${value}`;
    if (value instanceof Node || value === value.window || value instanceof Date) return value;
    if (typeof value.toJSON === "function") return plain(value.toJSON(), depth + 1);
    if (Array.isArray(value)) return list(value, depth);
    if (ArrayBuffer.isView(value) && "length" in value) return list(value, depth);
    if (value instanceof ArrayBuffer) return `[ArrayBuffer(${value.byteLength})]`;
    const kind = Object.prototype.toString.call(value);
    if (kind === "[object Map]") {
      const made = new Map();
      for (const [key, held] of value) made.set(key, plain(held, depth + 1));
      return made;
    }
    if (kind === "[object Set]") {
      const made = new Set();
      for (const held of value) made.add(plain(held, depth + 1));
      return made;
    }
    if (kind === "[object Object]") return record(value, depth, Object.keys(value));
    return /^\[object (Promise|RegExp|Weak\w+|Generator)\]$/.test(kind) ? value : platform(value, depth);
  }

  function plain(value, depth) {
    if (typeof value !== "object" || value === null) return value;
    for (let at = 0; at < path.length; at++) if (path[at] === value) return "[Circular]";
    if (depth > DEEPEST || --left < 0) return named(value);
    path[path.length] = value;
    try {
      return inside(value, depth);
    } finally {
      path.length--;
    }
  }

  return plain(whole, 0);
}
