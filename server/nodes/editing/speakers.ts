export interface Speaker {
  /** As words have it. */
  readonly number: number
  readonly name: string
}

/** Those who have words, by number, named by the list in that order where it has a name for each of them. */
export function speakersIn(
  words: readonly { readonly speaker?: number | undefined }[],
  names: readonly string[],
): Speaker[] {
  const numbers = [...new Set(words.flatMap(({ speaker }) => speaker ?? []))].toSorted((a, b) => a - b)
  const known = numbers.length === names.length
  return numbers.map((number, rank) => ({
    number,
    name: (known ? names[rank] : undefined) ?? `Speaker ${number + 1}`,
  }))
}

/** What one is called, by the number that words have. */
export const nameIn = (speakers: readonly Speaker[], number: number): string =>
  speakers.find((one) => one.number === number)?.name ?? `Speaker ${number + 1}`
