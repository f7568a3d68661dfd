/** How the source fills the output: rectangles in display pixels of the source. */
import type { LayoutSpan, Rect } from '../../contract/composition.ts'
import type { ComposeContext } from '../declare.ts'

type Frame = Pick<ComposeContext, 'facts' | 'output' | 'durationFrames'>

/** Size of the source picture; a source without one counts as having the output's. */
export function sourceSize(context: Pick<ComposeContext, 'facts' | 'output'>): {
  width: number
  height: number
} {
  const { video } = context.facts
  const { width, height } = video ?? context.output
  return { width, height }
}

/** The largest centred rectangle of the source with the output's shape, held for the whole clip. */
export function cropLayout(context: Frame): LayoutSpan[] {
  const source = sourceSize(context)
  const shape = context.output.width / context.output.height
  const wide = source.width / source.height > shape
  const width = wide ? source.height * shape : source.width
  const height = wide ? source.height : source.width / shape
  const crop: Rect = { x: (source.width - width) / 2, y: (source.height - height) / 2, width, height }
  return [{ kind: 'crop', startFrame: 0, endFrame: context.durationFrames, crop }]
}

/** The whole source, centred, over its own blur or black. `zoom` 1 just fits; `yOffsetPercent` moves it down. */
export function fitLayout(
  context: Frame,
  options: { zoom: number; blur: boolean; yOffsetPercent: number },
): LayoutSpan[] {
  const { width, height } = sourceSize(context)
  const offset = Math.min(100, Math.max(-100, options.yOffsetPercent))
  return [
    {
      kind: 'fit',
      startFrame: 0,
      endFrame: context.durationFrames,
      crop: { x: 0, y: 0, width, height },
      zoom: options.zoom,
      background: options.blur ? 'blur' : 'black',
      ...(offset === 0 ? {} : { yOffsetPercent: offset }),
    },
  ]
}
