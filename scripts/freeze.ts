/**
 * `node --import ./scripts/freeze.ts scripts/start.ts`: nothing can change any more what all objects, arrays, functions
 * and errors inherit. Freezing alone would break code that gives an object of its own a name that it inherits (lodash,
 * ipaddr.js and rxjs do: `Sub.prototype.toString = …`): by the language's rules a frozen inherited property refuses
 * that too. So each property becomes an accessor first, whose setter defines the name on the object that was assigned
 * to, as the assignment would have done. Promise is left out: moleculer adds `delay` and `timeout` to it when a broker
 * is made.
 */
const SHARED = [
  Object,
  Function,
  Array,
  String,
  Number,
  Boolean,
  BigInt,
  Symbol,
  RegExp,
  Date,
  Map,
  Set,
  WeakMap,
  WeakSet,
  ArrayBuffer,
  DataView,
  Uint8Array,
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  URL,
  URLSearchParams,
];

for (const { prototype } of SHARED) {
  for (const key of Reflect.ownKeys(prototype)) openToOwnNames(prototype, key);
  Object.freeze(prototype);
}

function openToOwnNames(prototype: object, key: PropertyKey): void {
  const property = Reflect.getOwnPropertyDescriptor(prototype, key)!;
  if (!("value" in property) || !property.configurable || !property.writable) return;
  const { value, enumerable } = property as { value: unknown; enumerable: boolean };
  Reflect.defineProperty(prototype, key, {
    enumerable,
    configurable: true,
    get: () => value,
    set(this: object, given: unknown) {
      if (this === prototype) throw new TypeError(`${String(key)} of a shared prototype is frozen`);
      Object.defineProperty(this, key, { value: given, writable: true, enumerable: true, configurable: true });
    },
  });
}
