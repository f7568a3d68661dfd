/** What the preview sounds like: the mix that the export has, its volume, and its level. */
import { openMixer, type Mixed, type Mixing } from '../preview/sound/mixer.ts'
import { createOutput } from '../preview/sound/output.ts'
import { throughOutages } from '../state/outage.ts'
import { loadJson, storeJson } from '../state/stored-json.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { preview as messages } from '../messages/picture.ts'

const KEY = 'cutroom-editor-volume'
/** Edits come to rest first. */
const MIX_AFTER_MS = 150

interface Loudness {
  readonly muted: boolean
  /** 0 to 1. */
  readonly volume: number
}

function readLoudness(): Loudness {
  const found = loadJson(localStorage, KEY) as Partial<Loudness> | null
  const volume = typeof found?.volume === 'number' ? Math.min(1, Math.max(0, found.volume)) : 1
  return { muted: found?.muted === true, volume }
}

/** What the sound depends on. */
function partOf({ composition, own }: Mixed): string {
  const { output, durationFrames, tailFrames, source, timeMap, audio } = composition
  const { digest, hasAudio } = source
  return JSON.stringify([
    output.frameRate,
    durationFrames,
    tailFrames,
    digest,
    hasAudio,
    timeMap,
    audio,
    own === null,
  ])
}

/** The same clip with the sound as it was recorded. */
function withoutCleaning(given: Mixed): Mixed {
  const { cleaning: _cleaning, ...audio } = given.composition.audio
  return { ...given, composition: { ...given.composition, audio } }
}

/** Of these many mixes the last ones are kept: before and after cleaning. */
const KEPT_MIXES = 2

function keep(kept: Map<string, Mixing>, part: string, made: Mixing): void {
  kept.delete(part)
  kept.set(part, made)
  const [oldest] = kept.keys()
  if (kept.size > KEPT_MIXES && oldest !== undefined) kept.delete(oldest)
}

export type Sound = ReturnType<typeof openSound>

/** `onReady`: the sound of what was followed last is mixed. */
export function openSound(onReady: () => void) {
  const mixer = openMixer()
  const output = createOutput()
  let loudness = $state.raw(readLoudness())
  /** Of a mix that is not finished: how much of its sound is cleaned, if any is. */
  let mixing = $state.raw<{ readonly cleaned: number | null } | null>(null)
  let warnings = $state.raw<readonly string[]>([])
  let asRecorded = $state(false)
  let followed: Mixed | null = null
  const kept = new Map<string, Mixing>()
  let wanted = ''
  let mixed = ''
  let calls = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const amplitude = (): number => (loudness.muted ? 0 : loudness.volume ** 2)

  function setLoudness(next: Loudness): void {
    loudness = next
    storeJson(localStorage, KEY, next)
    output.setVolume(amplitude())
  }
  output.setVolume(amplitude())

  async function mix(given: Mixed, part: string): Promise<void> {
    const call = ++calls
    mixing = { cleaned: null }
    const onCleaned = (cleaned: number): void => {
      if (call === calls) mixing = { cleaned }
    }
    try {
      const made =
        kept.get(part) ??
        (await throughOutages(() => mixer.mix(given, onCleaned), { isWanted: () => call === calls }))
      if (call !== calls) return
      await output.load(made.wav)
      if (call !== calls) return
      keep(kept, part, made)
      warnings = made.warnings
      mixed = part
      mixing = null
      onReady()
    } catch (error) {
      if (call !== calls) return
      mixing = null
      warnings = given.own === null ? [] : [messages.ownSoundOnly(sentence(error))]
    }
  }

  /** Mixes what is shown, unless its sound is that of the last mix. */
  function follow(given: Mixed): void {
    followed = given
    const heard = asRecorded ? withoutCleaning(given) : given
    const part = partOf(heard)
    if (part === wanted) return
    wanted = part
    clearTimeout(timer)
    const isAtOnce = mixed === '' || kept.has(part)
    timer = setTimeout(() => void mix(heard, part), isAtOnce ? 0 : MIX_AFTER_MS)
  }

  return {
    get view() {
      const cleaned = mixing?.cleaned ?? null
      return { mixing: mixing !== null, cleaned, warnings, ...loudness, amplitude: amplitude(), asRecorded }
    },
    follow,
    /** Lets the sound be heard as it was recorded, or cleaned, as the export has it. */
    hearAsRecorded: (is: boolean): void => {
      asRecorded = is
      if (followed !== null) follow(followed)
    },
    /** The player of the mix; null while there is none of the composition that is shown, or no sound device for it. */
    player: (): HTMLAudioElement | null =>
      wanted !== '' && mixed === wanted && output.isRunning() ? output.audio : null,
    /** Call when a person lets it play: browsers want that before there is sound. */
    resume: output.resume,
    /** Peak and mean level of the last moments, dB of full scale, left and right. */
    levels: output.levels,
    setVolume: (volume: number): void => setLoudness({ volume, muted: false }),
    toggleMute: (): void => setLoudness({ ...loudness, muted: !loudness.muted }),
    close(): void {
      calls += 1
      clearTimeout(timer)
      mixer.close()
      output.close()
    },
  }
}
