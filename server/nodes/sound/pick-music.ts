/** One of several tracks is picked by the clip's hash: always the same one for a clip, spread over clips. */
import { own } from '../merge.ts'
import type { JsonObject } from '../declare.ts'

/** Tracks beyond these are not picked: each one is fetched before it is known which clips there will be. */
export const MAX_OPTIONS = 25

/** The options that can be picked: those with an address. */
export function musicChoices<Option extends { readonly url?: unknown }>(
  options: readonly Option[],
): Option[] {
  return options.filter(({ url }) => typeof url === 'string' && url.trim() !== '').slice(0, MAX_OPTIONS)
}

/** Undefined when there is nothing to pick from. */
export function pickMusic(options: readonly JsonObject[], clipHash: string): JsonObject | undefined {
  const choices = musicChoices(options.map((option) => ({ option, url: own(option, 'url') })))
  let hash = 0
  for (const letter of clipHash) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return choices[hash % Math.max(1, choices.length)]?.option
}
