/** The intro of a brand: a picture or a video that plays before the clip, whole and alone. */
import { rationalToNumber, ticksToSeconds } from '../../contract/time.ts'
import type { ComposeContext, NodeEdits } from '../declare.ts'
import { readyAt } from '../pictures/asset.ts'
import { fullRect } from '../pictures/place.ts'
import type { Warn } from '../../contract/render-remarks.ts'

/** Seconds. */
const PICTURE_SHOWN = 2
const LONGEST = 60
/** As loud as the clip's speech; the fades avoid clicks. */
const SOUND = { levelDb: 0, duckDb: 0, fadeInMs: 30, fadeOutMs: 200 } as const
const NO_MOVE = { kind: 'none', frames: 0 } as const

/** Nothing for an empty address. */
export function compileIntro(
  { url, seconds }: { readonly url: string | undefined; readonly seconds: number | undefined },
  context: Pick<ComposeContext, 'assets' | 'output'>,
  warn: Warn,
): Pick<NodeEdits, 'opening'> {
  if ((url?.trim() ?? '') === '') return {}
  const need = {
    label: 'apply_branding.intro_url',
    wanted: ['image', 'video'] as const,
    noun: 'picture to show',
  }
  const ready = readyAt(context.assets, url, need, warn)
  if (ready?.kind !== 'image' && ready?.kind !== 'video') return {}
  const own = ready.kind === 'video' ? ticksToSeconds(ready.video.duration) : Infinity
  const wanted = Math.min(own, seconds ?? (ready.kind === 'video' ? own : PICTURE_SHOWN))
  if (wanted > LONGEST) warn('SHORTENED', need.label, `${need.label}: the intro was cut to ${LONGEST} s.`)
  const perSecond = rationalToNumber(context.output.frameRate)
  const frames = Math.max(1, Math.round(Math.min(LONGEST, wanted) * perSecond))
  const range = { startFrame: 0, endFrame: frames }
  const shared = {
    id: 'brand-intro',
    rect: fullRect(context.output),
    // Whole, over black: its words must not be cut off where its shape is not the clip's.
    fit: 'contain' as const,
    background: '#000000',
    opacity: 1,
    ...range,
    intro: NO_MOVE,
    outro: NO_MOVE,
  }
  if (ready.kind === 'image')
    return { opening: { frames, layers: [{ kind: 'image', asset: ready.picture, ...shared }], tracks: [] } }
  const playing = { sourceStart: 0, loop: false, focusX: 50, focusY: 50 }
  const heard = { id: 'brand-intro', sourceStart: 0, ...range, loop: false, ...SOUND }
  return {
    opening: {
      frames,
      layers: [{ kind: 'video', asset: ready.video, ...playing, ...shared }],
      tracks: ready.sound === null ? [] : [{ asset: ready.sound, ...heard }],
    },
  }
}
