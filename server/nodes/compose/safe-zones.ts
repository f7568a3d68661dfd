/** Where platforms overlay their controls on a vertical video, and how captions avoid them. */
import type { CaptionStyle } from '../../contract/composition.ts'
import { pictureShape, referenceSize } from './read-config.ts'

export type SafeZone = 'none' | 'tiktok' | 'reels' | 'shorts'

/** Percent of a vertical picture that is covered on each side. */
export const COVERED: Readonly<
  Record<Exclude<SafeZone, 'none'>, { top: number; right: number; bottom: number; left: number }>
> = {
  tiktok: { top: 8, right: 13, bottom: 22, left: 5 },
  reels: { top: 11, right: 11, bottom: 21, left: 5 },
  shorts: { top: 9, right: 13, bottom: 20, left: 5 },
}

/** The style moved and narrowed so that its largest block stays clear. Other shapes than vertical have no controls. */
export function clearOfControls(
  style: CaptionStyle,
  zone: SafeZone,
  output: { width: number; height: number },
): CaptionStyle {
  if (zone === 'none' || pictureShape(output) !== 'vertical') return style
  const { top, right, bottom, left } = COVERED[zone]
  const { face, backdrop, maxLines } = style
  const blockUnits =
    face.fontSize * face.lineHeight * maxLines + (backdrop.fill === 'none' ? 0 : 2 * backdrop.paddingY)
  const halfHeight = (blockUnits / referenceSize(output).height) * 50
  const wrapWidthPercent = Math.min(style.wrapWidthPercent, 100 - left - right)
  return {
    ...style,
    wrapWidthPercent,
    xPercent: between(style.xPercent, left + wrapWidthPercent / 2, 100 - right - wrapWidthPercent / 2),
    yPercent: between(style.yPercent, top + halfHeight, 100 - bottom - halfHeight),
  }
}

/** The middle of the range when it is empty. */
function between(value: number, low: number, high: number): number {
  return low > high ? (low + high) / 2 : Math.min(high, Math.max(low, value))
}
