import { Type } from '@sinclair/typebox'
import {
  booleanField,
  choice,
  choiceField,
  closedObject,
  listField,
  textField,
} from '../../contract/config-fields.ts'
import { declareNode, type ComposeContext, type NodeEdits } from '../declare.ts'
import type { AssetNeed } from '../../contract/asset.ts'
import type { BrollInsert, ClipBroll } from '../../contract/clip-broll.ts'
import type { Layer } from '../../contract/composition.ts'
import { rationalToNumber, secondsToTicks, type FrameRange } from '../../contract/time.ts'
import { frameFrom, frameUpTo } from '../../contract/time-map/frames.ts'
import { readyAt } from '../pictures/asset.ts'
import { fullRect, pictureFocus, pictureMotion } from '../pictures/place.ts'
import { HOOK_SECONDS, TAIL_SECONDS } from '../broll/choose.ts'
import { remark, warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

/** Covers stretches of the clip with the pictures that were chosen when it was made (`broll` of its document). */
export const addBroll = declareNode({
  type: 'add_broll',
  label: 'Add b-roll',
  config: closedObject({
    enabled: booleanField('Add b-roll', true),
    prompt: textField('What to show', 20_000),
    broll_frequency: choiceField('How often', ['low', 'medium', 'high'], 'medium'),
    allowed_methods: listField(
      choice(['google_images', 'youtube', 'getty']),
      'Where pictures may come from',
      10,
    ),
    enable_ai_broll: booleanField('Make pictures where none is found', false),
    use_broll_library: booleanField('Use the library of the company', true),
    library_folder_ids: listField(
      Type.String({ maxLength: 200 }),
      'Folders of the library; empty means all',
      500,
    ),
  }),
  assets: (_config, document) => brollNeeds(document.broll),
  compile(_config, context) {
    const { broll, overrides } = context.document
    if (broll !== undefined) return brollLayers(broll, context, overrides?.broll !== undefined)
    return {
      warnings: [
        remark(
          'NOT_MEASURED',
          'add_broll',
          'add_broll: this clip was made without b-roll, so there is none to show.',
        ),
      ],
    }
  },
})

/** Share by which a still picture grows while it is shown, so that it does not look frozen next to video. */
const DRIFT = 0.06

/** What is left of an insert after edits of the clip is shown when it is this long, seconds. */
const WORTH_SHOWING = 1

/** Files that a clip's b-roll is made of. */
function brollNeeds(broll: ClipBroll | undefined): AssetNeed[] {
  return (broll?.inserts ?? []).map(({ url, kind }) => ({ url, kind }))
}

/** Inserts where their words are now, clear of the clip's edges; `placed`: a person put them there, so they stay. */
function brollLayers(broll: ClipBroll, context: ComposeContext, placed = false): NodeEdits {
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const rate = rationalToNumber(context.output.frameRate)
  let free = placed ? 0 : Math.ceil(HOOK_SECONDS * rate)
  const latest = context.durationFrames - (placed ? 0 : Math.ceil(TAIL_SECONDS * rate))
  const shortest = placed ? 1 : WORTH_SHOWING * rate
  const layers: Layer[] = []
  for (const insert of broll.inserts) {
    const startFrame = Math.max(free, frameFrom(context.timeMap, insert.start))
    const endFrame = Math.min(latest, frameUpTo(context.timeMap, insert.end))
    if (endFrame - startFrame < shortest) {
      // An editor sees on the timeline that the words of what was put there are cut out.
      if (placed) continue
      warn(
        'NEVER_SHOWN',
        'add_broll',
        `add_broll: "${insert.name}" is left out: its words were cut, or came too near to the clip's start or end.`,
      )
      continue
    }
    const layer = layerOf(insert, { startFrame, endFrame }, context, warn)
    if (layer === null) continue
    layers.push(layer)
    free = endFrame
  }
  return { layers, warnings }
}

function layerOf(insert: BrollInsert, shown: FrameRange, context: ComposeContext, warn: Warn): Layer | null {
  const need = {
    label: `add_broll: "${insert.name}"`,
    field: 'add_broll',
    wanted: [insert.kind],
    noun: 'picture to show',
  } as const
  const ready = readyAt(context.assets, insert.url, need, warn)
  if (ready === null || ready.kind === 'audio' || ready.kind === 'font') return null
  const common = {
    id: insert.id,
    rect: fullRect(context.output),
    fit: insert.fit ?? ('cover' as const),
    // Behind a picture that lets something through, and never the speaker.
    background: '#000000',
    opacity: insert.opacity ?? 1,
    ...shown,
    intro: { kind: 'none' as const, frames: 0 },
    outro: { kind: 'none' as const, frames: 0 },
  }
  const { xPercent = 50, yPercent = 50, motion } = insert
  if (ready.kind === 'image') {
    const moves = motion === undefined ? { drift: DRIFT } : pictureMotion(motion)
    return { kind: 'image', ...common, asset: ready.picture, ...pictureFocus(xPercent, yPercent), ...moves }
  }
  const sourceStart = Math.min(secondsToTicks(insert.sourceStart), Math.max(0, ready.video.duration - 1))
  return {
    kind: 'video',
    ...common,
    asset: ready.video,
    sourceStart,
    loop: true,
    focusX: xPercent,
    focusY: yPercent,
    ...pictureMotion(motion ?? 'still'),
  }
}
