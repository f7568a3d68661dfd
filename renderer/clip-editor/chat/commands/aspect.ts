import { declareCommand, edited, refused, rule } from './declare.ts'
import { isOn, withNode } from './nodes.ts'

const RATIOS = [
  [
    '9:16',
    '(?:9 ?(?::|x|/|by) ?16|vertical|portrait|upright|tiktok(?: format)?|reels?(?: format)?|shorts?(?: format)?)',
  ],
  ['16:9', '(?:16 ?(?::|x|/|by) ?9|horizontal|landscape|wide(?:screen)?|youtube(?: format)?)'],
  ['1:1', '(?:1 ?(?::|x|/|by) ?1|square)'],
  ['4:5', '(?:4 ?(?::|x|/|by) ?5)'],
] as const
const SHAPE = '(?:aspect ratio|aspect|shape|format|ratio|orientation)'

export const aspect = declareCommand({
  name: 'aspect',
  examples: ['make it square', 'change the aspect ratio to 4:5'],
  rules: RATIOS.flatMap(([ratio, called]) => [
    rule(
      `(?:{make}|convert|export|crop|reframe)? ?(?:it|this|the clip|the video|the picture) (?:to |into |in |as |be )?(?:an? )?${called}(?: ${SHAPE}| video| clip)?`,
      () => ({ ratio }),
    ),
    rule(
      `(?:{set} )?(?:the )?${SHAPE}(?: (?:of the (?:clip|video|picture)))?(?: to| into)? ${called}`,
      () => ({ ratio }),
    ),
    rule(`(?:go|in|use) ${called}(?: ${SHAPE})?`, () => ({ ratio })),
  ]),
  run(edit, context, { ratio }) {
    const [across = 9, up = 16] = ratio.split(':').map(Number)
    const { width, height } = context.output
    if (Math.abs(width / height - across / up) < 0.01 && isOn(edit, context, 'convert_to_vertical'))
      return refused(`The picture is ${ratio} already.`)
    return edited(
      withNode(edit, context, 'convert_to_vertical', { on: true, config: { aspect_ratio: ratio } }),
      `The picture is ${ratio}.`,
    )
  },
})
