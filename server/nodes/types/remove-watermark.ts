import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  closedObject,
  describedObject,
  listField,
  numberField,
} from '../../contract/config-fields.ts'
import { declareNode, type NodeEdits, type PreLayoutContext } from '../declare.ts'
import type { ClipLogos } from '../../contract/clip-measurements.ts'
import type { SourcePatch } from '../../contract/composition.ts'
import { rationalToNumber } from '../../contract/time.ts'
import { sourceSize } from '../compose/layout.ts'
import { remark, type RenderRemark } from '../../contract/render-remarks.ts'

const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

const Region = describedObject('Where a logo sits', {
  x: percent('Left edge, percent of the width of the source picture'),
  y: percent('Top edge, percent of the height of the source picture'),
  width: percent('Percent of the width'),
  height: percent('Percent of the height'),
  start: numberField('Seconds in the played clip from which it is there', { minimum: 0 }),
  end: numberField('Seconds in the played clip until which it is there', { minimum: 0 }),
})

const LogoConfig = describedObject('What is removed', {
  enabled: booleanField('Remove logos', true),
  regions: listField(Region, 'Where logos sit', 50),
  auto: booleanField('Find logos that stand still near the edges of the source picture', false),
})

/** Blends a burned-in logo away. */
export const removeWatermark = declareNode({
  type: 'remove_watermark',
  label: 'Remove watermark',
  config: closedObject({
    enabled: booleanField('Remove logos', true),
    remove_watermark_config: Type.Optional(LogoConfig),
  }),
  innerSwitch: 'remove_watermark_config',
  measures: (config) => (config.remove_watermark_config?.auto === true ? ['logos'] : []),
  compile: (config, context) => logoPatches(config.remove_watermark_config ?? {}, context),
})

/** A patch is made up from its surroundings: beyond this share of the picture there is too little of them. */
const MAX_SHARE = 0.25

function logoPatches(settings: Static<typeof LogoConfig>, context: PreLayoutContext): NodeEdits {
  const { regions = [], auto = false } = settings
  if (context.facts.video === null)
    return {
      warnings: [told('NOTHING_FOUND', 'remove_watermark found no picture: the source has only sound.')],
    }
  const warnings: RenderRemark[] = []
  const found = auto ? (context.document.logos?.places ?? []) : []
  if (auto) warnings.push(...remarks(context.document.logos, regions.length > 0))
  if (!auto && regions.length === 0)
    warnings.push(told('NOTHING_FOUND', 'remove_watermark has no regions: nothing was removed.'))
  const patches = regions.flatMap((region, index): SourcePatch[] => {
    const patch = patchOf(region, context)
    if (typeof patch !== 'string') return [patch]
    warnings.push(told('NOTHING_FOUND', `remove_watermark: region ${index + 1} was left out: ${patch}.`))
    return []
  })
  const automatic = found.flatMap((place): SourcePatch[] => {
    const patch = patchOf(place, context)
    return typeof patch === 'string' ? [] : [patch]
  })
  return { patches: [...patches, ...automatic], warnings }
}

const told = (code: RenderRemark['code'], message: string): RenderRemark =>
  remark(code, 'remove_watermark', message)

/** Warning when a logo was expected and none was found. */
function remarks(logos: ClipLogos | undefined, named: boolean): RenderRemark[] {
  const mend = named ? 'Only the named regions were removed.' : 'Name the places of logos in `regions`.'
  if (logos === undefined)
    return [
      told(
        'NOT_MEASURED',
        `remove_watermark: nobody looked for a logo (\`auto\`) when this clip was made. ${mend}`,
      ),
    ]
  if (logos.places.length > 0) return []
  const message = logos.unsure
    ? `remove_watermark: too little of the picture changes to tell a logo (\`auto\`) from what stands still behind it. ${mend}`
    : `remove_watermark: no logo was found that stands still near an edge of the picture (\`auto\`). ${mend}`
  return [told('NOTHING_FOUND', message)]
}

/** The patch, or why there is none. */
function patchOf(region: Static<typeof Region>, context: PreLayoutContext): SourcePatch | string {
  const { width, height } = sourceSize(context)
  const left = Math.round((region.x * width) / 100)
  const top = Math.round((region.y * height) / 100)
  const right = Math.min(width, Math.round(((region.x + region.width) * width) / 100))
  const bottom = Math.min(height, Math.round(((region.y + region.height) * height) / 100))
  if (right - left < 2 || bottom - top < 2) return 'nothing of it lies in the picture'
  const share = ((right - left) * (bottom - top)) / (width * height)
  if (share > MAX_SHARE) return `it covers more than ${MAX_SHARE * 100} % of the picture`
  const perSecond = rationalToNumber(context.output.frameRate)
  const startFrame = Math.max(0, Math.round((region.start ?? 0) * perSecond))
  const endFrame = Math.min(
    context.durationFrames,
    region.end === undefined ? context.durationFrames : Math.round(region.end * perSecond),
  )
  if (endFrame <= startFrame) return 'its time lies outside the clip'
  return { rect: { x: left, y: top, width: right - left, height: bottom - top }, startFrame, endFrame }
}
