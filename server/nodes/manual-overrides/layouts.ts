import type { ManualLayouts } from '../../contract/manual-overrides/layouts.ts'
import type { ConfigProblem } from '../declare.ts'
import { declareOverridePart, stretchProblem } from './declare.ts'
import { arrangeLayout, unseenFrames } from './arrange-layout.ts'
import { remark } from '../../contract/render-remarks.ts'

/** Maximum number of keyframes of a clip: each is a move that becomes part of ffmpeg's command line. */
export const MAX_KEYFRAMES = 60

/** Layouts of ranges, on top of what nodes decide; a source without picture has no layout. */
export const manualLayouts = declareOverridePart({
  name: 'layouts',
  check: (layouts) => stretchProblem('layouts', layouts) ?? keyframeProblem(layouts),
  layout: (layouts, layout, context) => arrangeLayout(layouts, layout, context),
  compile(layouts, context) {
    if (context.facts.video === null) return {}
    const lost = layouts.filter((one) => unseenFrames(one, context) > 0)
    return {
      warnings: lost.map(({ start, end }) =>
        remark(
          'NOTHING_FOUND',
          'layouts',
          `Layout from ${clock(start)} to ${clock(end)}: the person to follow is not seen in all of it; the rest is laid out automatically.`,
        ),
      ),
    }
  },
})

function clock(second: number): string {
  return `${Math.floor(second / 60)}:${String(Math.floor(second % 60)).padStart(2, '0')}`
}

function keyframeProblem(layouts: ManualLayouts): ConfigProblem | null {
  let all = 0
  for (const [index, layout] of layouts.entries()) {
    if (layout.kind !== 'crop') continue
    const unsorted = layout.keyframes.findIndex(
      ({ at }, place) => place > 0 && at <= (layout.keyframes[place - 1]?.at ?? 0),
    )
    if (unsorted !== -1)
      return { path: `layouts.${index}.keyframes.${unsorted}.at`, expected: 'after the keyframe before it' }
    all += layout.keyframes.length
    if (all > MAX_KEYFRAMES)
      return {
        path: `layouts.${index}.keyframes`,
        expected: `at most ${MAX_KEYFRAMES} keyframes in the whole clip`,
      }
  }
  return null
}
