/** PURE: the sound effects that come with the appliance (resources/sounds): a new one is one line here and one in its maker. */

interface SoundEffect {
  /** Second of the file that belongs on the moment that it is for. */
  readonly moment: number
}

const SOUNDS = {
  whoosh: { moment: 0.3 },
  hit: { moment: 0 },
  riser: { moment: 1.4 },
  pop: { moment: 0 },
} as const satisfies Record<string, SoundEffect>

export type SoundName = keyof typeof SOUNDS
export const SOUND_NAMES = Object.keys(SOUNDS) as readonly SoundName[]

export const soundEffect = (name: SoundName): SoundEffect => SOUNDS[name]

/** The address of its file, for whatever fetches files of clips. */
export const soundAddress = (name: SoundName): string => `cutroom-sound:${name}`

/** The sound that such an address names; null for any other address. */
export function soundOfAddress(address: string): SoundName | null {
  const name = /^cutroom-sound:(.+)$/u.exec(address)?.[1]
  return SOUND_NAMES.find((one) => one === name) ?? null
}
