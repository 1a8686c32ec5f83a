// Reads and restores the storage of an origin, from an empty document of that origin. Arguments and
// results are JSON text, which can hold lone surrogates; CDP values cannot.
//
// IndexedDB values that JSON cannot represent use the encoding of Playwright's files:
//   {v: "undefined" | "null" | "NaN" | "Infinity" | "-Infinity" | "-0"}   {d: date}   {u: URL}
//   {bi: bigint}   {r: {p: pattern, f: flags}}   {e: {n: name, m: message, s: stack}}
//   {ta: {k: kind, b: base64}}   {ab: {b: base64}}   {a: [item], id}   {o: [{k, v}], id}
//   {m: [{k, v}], id}   {s: [item], id}   {ref: id}
(() => {
  "use strict";

  const ARRAYS = {
    i8: Int8Array,
    ui8: Uint8Array,
    ui8c: Uint8ClampedArray,
    i16: Int16Array,
    ui16: Uint16Array,
    i32: Int32Array,
    ui32: Uint32Array,
    f32: Float32Array,
    f64: Float64Array,
    bi64: BigInt64Array,
    bui64: BigUint64Array,
  };
  const CONSTANTS = {
    undefined,
    null: null,
    NaN,
    Infinity,
    "-Infinity": -Infinity,
    "-0": -0,
  };

  const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

  const isPlain = (value) => Object.getPrototypeOf(value) === Object.prototype;

  // Returns whether JSON represents the value exactly: only JSON types, and no object twice.
  const isJson = (value, seen = new Set()) => {
    if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
    if (typeof value !== "object" || value === null) return value === null || ["string", "boolean"].includes(typeof value);
    if (seen.has(value) || "toJSON" in value || Object.hasOwn(value, "__proto__")) return false;
    seen.add(value);
    if (Array.isArray(value)) return Array.from(value).every((item) => isJson(item, seen));
    return isPlain(value) && Object.values(value).every((item) => isJson(item, seen));
  };

  const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

  const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

  // Values without an encoding become empty objects; `lost` collects their kinds.
  const encode = (value, lost, seen = new Map()) => {
    for (const [v, constant] of Object.entries(CONSTANTS)) if (Object.is(value, constant)) return { v };
    if (typeof value === "bigint") return { bi: String(value) };
    if (typeof value !== "object") return value;
    if (value instanceof Error) return { e: { n: value.name, m: value.message, s: value.stack ?? "" } };
    if (value instanceof Date) return { d: Number.isNaN(+value) ? "invalid" : value.toJSON() };
    if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
    for (const [k, type] of Object.entries(ARRAYS)) {
      if (value instanceof type) return { ta: { k, b: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) } };
    }
    if (value instanceof ArrayBuffer) return { ab: { b: toBase64(new Uint8Array(value)) } };
    if (seen.has(value)) return { ref: seen.get(value) };
    const id = seen.size + 1;
    seen.set(value, id);
    const inner = (item) => encode(item, lost, seen);
    if (Array.isArray(value)) return { a: Array.from(value, inner), id };
    if (value instanceof Map) return { m: Array.from(value, ([k, v]) => ({ k: inner(k), v: inner(v) })), id };
    if (value instanceof Set) return { s: Array.from(value, inner), id };
    if (!isPlain(value)) {
      lost.add(kindOf(value));
      return { o: [], id };
    }
    return { o: Object.entries(value).map(([k, v]) => ({ k, v: inner(v) })), id };
  };

  const decode = (value, seen = new Map()) => {
    if (typeof value !== "object" || value === null) return value;
    const inner = (item) => decode(item, seen);
    const keep = (made) => (seen.set(value.id, made), made);
    if ("ref" in value) return seen.get(value.ref);
    if ("v" in value) return CONSTANTS[value.v];
    if ("d" in value) return new Date(value.d);
    if ("u" in value) return value.u;
    if ("bi" in value) return BigInt(value.bi);
    if ("r" in value) return new RegExp(value.r.p, value.r.f);
    if ("e" in value) return Object.assign(new Error(value.e.m), { name: value.e.n, stack: value.e.s });
    if ("ta" in value) return new ARRAYS[value.ta.k](fromBase64(value.ta.b).buffer);
    if ("ab" in value) return fromBase64(value.ab.b).buffer;
    if ("a" in value) {
      const made = keep([]);
      for (const item of value.a) made.push(inner(item));
      return made;
    }
    if ("m" in value) {
      const made = keep(new Map());
      for (const { k, v } of value.m) made.set(inner(k), inner(v));
      return made;
    }
    if ("s" in value) {
      const made = keep(new Set());
      for (const item of value.s) made.add(inner(item));
      return made;
    }
    const made = keep({});
    for (const { k, v } of value.o ?? []) {
      Object.defineProperty(made, k, { value: inner(v), writable: true, enumerable: true, configurable: true });
    }
    return made;
  };

  // Playwright expects exact JSON values as they are, but `null` and all others encoded.
  const put = (record, name, value, lost) => {
    if (value !== null && isJson(value)) record[name] = value;
    else record[`${name}Encoded`] = encode(value, lost);
    return record;
  };

  const take = (record, name) => record[name] ?? decode(record[`${name}Encoded`]);

  const result = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  const within = (seconds, work) =>
    Promise.race([
      work,
      new Promise((_, reject) => {
        setTimeout(() => reject(new DOMException("", "TimeoutError")), seconds * 1000);
      }),
    ]);

  const paths = (keyPath) => (Array.isArray(keyPath) ? { keyPathArray: keyPath } : { keyPath: keyPath ?? undefined });

  const readStore = async (store, lost) => {
    const [keys, values] = await Promise.all([result(store.getAllKeys()), result(store.getAll())]);
    return {
      name: store.name,
      records: values.map((value, index) =>
        put(store.keyPath === null ? put({}, "key", keys[index], lost) : {}, "value", value, lost),
      ),
      indexes: Array.from(store.indexNames, (name) => store.index(name)).map((index) => ({
        name: index.name,
        ...paths(index.keyPath),
        multiEntry: index.multiEntry,
        unique: index.unique,
      })),
      autoIncrement: store.autoIncrement,
      ...paths(store.keyPath),
    };
  };

  const readDatabase = async ({ name, version }, lost) => {
    const database = await result(indexedDB.open(name));
    try {
      const names = Array.from(database.objectStoreNames);
      if (names.length === 0) return { name, version, stores: [] };
      const transaction = database.transaction(names, "readonly");
      const stores = await Promise.all(names.map((each) => readStore(transaction.objectStore(each), lost)));
      return { name, version, stores };
    } finally {
      database.close();
    }
  };

  const fill = (database, stores, transaction) => {
    for (const store of stores) {
      const keyPath = store.keyPathArray ?? store.keyPath ?? null;
      const made = database.createObjectStore(store.name, { keyPath, autoIncrement: store.autoIncrement });
      for (const index of store.indexes) {
        const { unique, multiEntry } = index;
        made.createIndex(index.name, index.keyPathArray ?? index.keyPath, { unique, multiEntry });
      }
      for (const record of store.records) made.add(take(record, "value"), take(record, "key"));
    }
  };

  const restoreDatabase = ({ name, version, stores }) =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open(name, version);
      let fault;
      opening.onupgradeneeded = () => {
        const { transaction } = opening;
        transaction.addEventListener("error", (event) => (fault ??= event.target.error));
        try {
          fill(opening.result, stores);
        } catch (error) {
          fault = error;
          transaction.abort();
        }
      };
      opening.onerror = () => reject(fault ?? opening.error);
      opening.onsuccess = () => resolve(opening.result.close());
    });

  // Object.keys would omit items that are named like a method of Storage, such as "key".
  const getItems = () =>
    Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index)).map((name) => ({
      name,
      value: localStorage.getItem(name),
    }));

  const setItems = (items) => {
    for (const { name, value } of items) localStorage.setItem(name, value);
  };

  // Report only the name of an error, because its message may quote stored values.
  const answered = (work) => async (text) => {
    try {
      return JSON.stringify({ value: await work(text && JSON.parse(text)) });
    } catch (error) {
      return JSON.stringify({ fault: error.name });
    }
  };

  return {
    isAt: (origin) => location.origin === new URL(origin).origin,

    items: answered(getItems),

    // Databases that another page blocks for `seconds` are skipped and listed in `unread`.
    databases: answered(async (seconds) => {
      const databases = [];
      const unread = [];
      const lost = new Set();
      const read = async (each) => {
        try {
          databases.push(await within(seconds, readDatabase(each, lost)));
        } catch (error) {
          unread.push({ name: each.name, fault: error.name });
        }
      };
      await Promise.all((await indexedDB.databases()).map(read));
      return { databases, unread, lost: Array.from(lost) };
    }),

    restoreItems: answered(setItems),

    restoreDatabases: answered((databases) => Promise.all(databases.map(restoreDatabase))),

    // If the new items exceed the quota, the former ones stay.
    replaceItems: answered((items) => {
      const former = getItems();
      localStorage.clear();
      try {
        setItems(items);
      } catch (error) {
        localStorage.clear();
        setItems(former);
        throw error;
      }
    }),

    // Databases that another page keeps open for `seconds` stay as they are; returns their names.
    replaceDatabases: answered(async ({ databases, seconds }) => {
      const kept = [];
      const remove = async ({ name }) => {
        try {
          await within(seconds, result(indexedDB.deleteDatabase(name)));
        } catch {
          kept.push(name);
        }
      };
      await Promise.all((await indexedDB.databases()).map(remove));
      await Promise.all(databases.filter(({ name }) => !kept.includes(name)).map(restoreDatabase));
      return kept;
    }),
  };
})();
