/** How captions are placed clear of the controls that platforms draw over a vertical video. */
import type { CaptionStyle } from '../../contract/composition.ts'
import { SAFE_ZONES, type SafeZone } from '../../contract/platforms/registry.ts'
import { pictureShape, referenceSize } from './read-config.ts'

/**
 * The style moved and narrowed so that its largest block stays clear of the zone. Platforms draw no controls over pictures
 * that are not vertical.
 */
export function clearOfControls(
  style: CaptionStyle,
  zone: SafeZone,
  output: { width: number; height: number },
): CaptionStyle {
  const covered = SAFE_ZONES.find(({ name }) => name === zone)?.covered
  if (covered === undefined || pictureShape(output) !== 'vertical') return style
  const { top, right, bottom, left } = covered
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
