/** The fields of an object that have a value: a field that may be left out is typed without `undefined`. */
export type WithoutUndefined<T extends object> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

/**
 * Returns a copy of `fields` without those that are undefined. In documents and requests, a field that is absent and
 * one that is undefined must not be confused (content keys, JSON merges, spreads over defaults).
 */
export function omitUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as WithoutUndefined<T>
}
