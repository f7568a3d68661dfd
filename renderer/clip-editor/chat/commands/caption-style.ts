import { CAPTION_PRESETS } from '../../../../server/nodes/presets/captions.ts'
import { named, withCaptions } from './captions.ts'
import { declareCommand, edited, refused, rule, type Read } from './declare.ts'

/** What the presets are called is read from their list. */
export const captionStyle = declareCommand({
  name: 'caption_style',
  examples: ['use the neon captions', 'change the caption style to karaoke'],
  rules: [
    rule(
      '{set} (?:the )?{captions}(?: style| preset| look)? (?:to|into|as)(?: the)? {preset:PHRASE}(?: style| preset| look)?',
      preset,
    ),
    rule('{set} (?:the )?(?:style|preset|look) of the {captions} to {preset:PHRASE}', preset),
    rule(
      '(?:use|try|give me|apply|switch to|with) (?:the )?{preset:PHRASE}(?: style| preset| look)?(?: for(?: the)?)? {captions}',
      preset,
    ),
    rule(
      '(?:use|try|apply|switch to) (?:the )?{preset:PHRASE} (?:caption |subtitle )?(?:style|preset|look)(?: for the {captions})?',
      preset,
    ),
    rule('{captions}(?: style| preset)? {preset:PHRASE}', preset),
    rule('{make} (?:the )?{captions} (?:look )?(?:like )?{preset:PHRASE}', preset),
  ],
  run(edit, _context, { preset: wanted }) {
    const found = named(CAPTION_PRESETS, wanted)
    if (found === undefined)
      return refused(
        `There is no caption preset “${wanted}”; there are ${CAPTION_PRESETS.map(({ name }) => name).join(', ')}.`,
      )
    return edited(withCaptions(edit, { styleId: found.id }), `Captions look like ${found.name}.`)
  },
})

function preset(found: Read) {
  const text = found.text('preset')
  return text === null || named(CAPTION_PRESETS, text) === undefined ? null : { preset: text }
}
