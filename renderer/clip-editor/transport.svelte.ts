/** Plays, pauses, shuttles and seeks what the player shows. */
import type { Composition } from '../../server/contract/composition.ts'
import type { Preview } from '../preview/preview.ts'
import { playBackwards, playFile, playMix, type Playing } from '../preview/playing.ts'
import { ConnectionLost } from '../state/outage.ts'
import type { Sound } from './sound.svelte.ts'

const FASTEST = 4

export interface Shown {
  readonly preview: Preview | null
  readonly composition: Composition
  frame: number
}

interface Transported {
  readonly sound: Sound
  /** Read each time that playing begins. */
  readonly muted: () => boolean
  /** Begins to mix the sound of what is shown, unless it is. */
  readonly mixSound: () => void
  /** Where the file that is played begins in the source, seconds. */
  readonly startSeconds: () => number
  /** It has come to rest. */
  readonly onRest: () => void
  readonly fail: (error: unknown) => void
}

/** The first frame to play: the current one, or the start when it is at the end. */
const beginning = ({ durationFrames, tailFrames = 0 }: Composition, frame: number): number =>
  frame >= durationFrames - 1 - tailFrames ? 0 : frame

/** Begins to play in the way that there is; null: there is nothing to play yet. `volume`: of the file's own sound. */
function begin(audio: HTMLAudioElement | null, volume: number, playing: Playing): (() => void) | null {
  const { element, speed } = playing
  if (speed < 0) return playBackwards(playing)
  if (audio !== null) return playMix({ ...playing, audio })
  return element === null ? null : playFile({ ...playing, element, volume })
}

/** The chosen speed, and what is shuttled at until it rests: negative is backwards. */
function createSpeed() {
  let chosen = $state(1)
  let shuttled = $state<number | null>(null)
  return {
    get now() {
      return shuttled ?? chosen
    },
    choose(next: number): void {
      chosen = next
      shuttled = null
    },
    /** One way or the other; the same way as before: faster. */
    shuttle(direction: 1 | -1, isPlaying: boolean): void {
      const before = shuttled ?? chosen
      const faster = isPlaying && Math.sign(before) === direction
      shuttled = faster ? direction * Math.min(FASTEST, Math.abs(before) * 2) : direction
    },
    rest: (): void => void (shuttled = null),
  }
}

export function createTransport(
  shown: Shown,
  { sound, muted, mixSound, startSeconds, onRest, fail }: Transported,
) {
  let stop = $state.raw<(() => void) | null>(null)
  /** Counts what was begun: of several, the last one plays. */
  let calls = 0
  let mixed = false
  const speed = createSpeed()

  function halt(): void {
    stop?.()
    stop = null
  }

  function pause(): void {
    calls += 1
    halt()
    speed.rest()
    onRest()
  }

  async function play(): Promise<void> {
    const { preview, composition } = shown
    const isMuted = muted()
    if (preview === null) return
    const call = ++calls
    if (!isMuted) mixSound()
    shown.frame = speed.now < 0 ? shown.frame : beginning(composition, shown.frame)
    await Promise.all([preview.drawAt(shown.frame), isMuted ? null : sound.resume()])
    // Playing has started meanwhile, or another composition is shown.
    if (stop !== null || call !== calls) return
    if (preview !== shown.preview) return play()
    const audio = isMuted ? null : sound.player()
    mixed = audio !== null
    stop = begin(audio, isMuted ? 0 : sound.view.amplitude, {
      composition,
      element: preview.sourcePlayer?.error === null ? preview.sourcePlayer : null,
      start: startSeconds(),
      from: shown.frame,
      speed: speed.now,
      onFrame: (next) => {
        shown.frame = next
        return speed.now < 0 ? preview.drawAt(next) : preview.drawPlaying(next)
      },
      onEnd: (error) => {
        // Drawing its frame loads the file anew.
        if (error instanceof ConnectionLost) return again()
        pause()
        fail(error)
      },
    })
  }

  /** Goes on playing in another way. */
  const again = (): void => {
    halt()
    play().catch(fail)
  }

  function seekFrame(to: number): void {
    shown.frame = Math.max(0, Math.min(shown.composition.durationFrames - 1, Math.round(to)))
    if (stop !== null) return again()
    pause()
    shown.preview?.drawAt(shown.frame).catch(fail)
  }

  return {
    get playing() {
      return stop !== null
    },
    get speed() {
      return speed.now
    },
    /** Stops without `onRest`: something else is about to be played. */
    halt,
    pause,
    play,
    seekFrame,
    toggle: () => (stop === null ? again() : pause()),
    setSpeed: (next: number): void => {
      speed.choose(next)
      if (stop !== null) again()
    },
    /** Plays forwards (1) or backwards (-1), at each call faster. */
    shuttle: (direction: 1 | -1): void => {
      speed.shuttle(direction, stop !== null)
      again()
    },
    /** Its sound is mixed now: it is taken instead of the file's own. */
    takeMix: () => void (stop !== null && !mixed && speed.now > 0 && !muted() && again()),
  }
}
