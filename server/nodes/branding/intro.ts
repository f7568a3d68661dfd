/** The intro of a brand: a picture or a video over the beginning of the clip, which is heard below it. */
import { rationalToNumber, ticksToSeconds } from '../../contract/time.ts'
import type { Warn } from '../compose/read-config.ts'
import type { ComposeContext, NodeEdits } from '../declare.ts'
import { readyAt } from '../pictures/asset.ts'
import { fullRect } from '../pictures/place.ts'

/** Seconds. */
const PICTURE_SHOWN = 2
const FADE = 0.3
/** The sound of an intro lies under the speech, which goes on. */
const SOUND = { levelDb: -6, duckDb: 12, fadeInMs: 30, fadeOutMs: 300 } as const

type Intro = Pick<NodeEdits, 'front' | 'tracks'>

/** Nothing for an empty address. */
export function compileIntro(
  { url, seconds }: { readonly url: string | undefined; readonly seconds: number | undefined },
  context: ComposeContext,
  warn: Warn,
): Intro {
  if ((url?.trim() ?? '') === '') return {}
  const need = {
    label: 'apply_branding.intro_url',
    wanted: ['image', 'video'] as const,
    noun: 'picture to show',
  }
  const ready = readyAt(context.assets, url, need, warn)
  if (ready?.kind !== 'image' && ready?.kind !== 'video') return {}
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const usual = ready.kind === 'video' ? ticksToSeconds(ready.video.duration) : PICTURE_SHOWN
  const longest = ready.kind === 'video' ? Math.min(seconds ?? usual, usual) : (seconds ?? usual)
  const endFrame = Math.min(context.durationFrames, Math.max(1, Math.round(longest * framesPerSecond)))
  const shared = {
    id: 'brand-intro',
    rect: fullRect(context.output),
    fit: 'cover' as const,
    background: null,
    opacity: 1,
    startFrame: 0,
    endFrame,
    intro: { kind: 'none' as const, frames: 0 },
    outro: {
      kind: 'fade' as const,
      frames: Math.min(Math.round(FADE * framesPerSecond), Math.floor(endFrame / 2)),
    },
  }
  if (ready.kind === 'image') return { front: [{ kind: 'image', asset: ready.picture, ...shared }] }
  const playing = { sourceStart: 0, loop: false, focusX: 50, focusY: 50 }
  const heard = { id: 'brand-intro', sourceStart: 0, startFrame: 0, endFrame, loop: false, ...SOUND }
  return {
    front: [{ kind: 'video', asset: ready.video, ...playing, ...shared }],
    ...(ready.sound === null ? {} : { tracks: [{ asset: ready.sound, ...heard }] }),
  }
}
