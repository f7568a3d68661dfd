/** PURE: reads values from platform responses, which may differ from their documentation. */

/**
 * The earliest moment, by the platform's own clock, at which a post of this job can have been made: what is looked up by
 * its text is compared with it, and our clock may be wrong by more than anybody would wait.
 */
export const earliest = (job: { readonly startedAt: number }, answer: { readonly aheadMs: number }): number =>
  job.startedAt + answer.aheadMs - 60_000

type Json = Readonly<Record<string, unknown>>

/** `at(answer, 'data', 'id')`; undefined when anything on the way is missing. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  )
}

/** A text, or a number as text; null for anything else and for an empty one. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path)
  if (typeof found === 'number' && Number.isFinite(found)) return String(found)
  return typeof found === 'string' && found !== '' ? found : null
}

/** A count of at least 0; 0 when absent. */
export function countAt(value: unknown, ...path: readonly (string | number)[]): number {
  const number = Number(at(value, ...path))
  return Number.isFinite(number) && number > 0 ? Math.floor(number) : 0
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly Json[] {
  const found = at(value, ...path)
  return Array.isArray(found)
    ? found.filter((one): one is Json => typeof one === 'object' && one !== null)
    : []
}
