import { speakersIn } from '../../../../server/nodes/editing/speakers.ts'
import { declareCommand, edited, refused, rule, type Read } from './declare.ts'
import { readNumber } from '../grammar/values.ts'

export const nameSpeaker = declareCommand({
  name: 'name_speaker',
  examples: ['rename speaker 1 to Anna', 'call the second speaker “Ben”'],
  rules: [
    rule(
      '(?:rename|name|call|label|change)(?: the)?(?: name of)? (?:the )?(?<speaker>speaker (?:number )?{n:NUMBER}|(?:first|second|third|fourth) speaker) (?:to |as |into )?{name:PHRASE}',
      told,
    ),
    rule(
      '(?:the )?(?<speaker>speaker (?:number )?{n:NUMBER}|(?:first|second|third|fourth) speaker) is(?: called| named)? {name:PHRASE}',
      told,
    ),
    rule('rename {speaker:QUOTED} (?:to|as) {name:PHRASE}', told),
  ],
  run(edit, context, { speaker, name }) {
    const all = speakersIn(context.words, edit.speakers ?? context.speakers)
    if (all.length === 0) return refused('Nobody is told apart in this clip.')
    const plain = speaker.trim().toLowerCase()
    const rank = all.findIndex(
      (one, index) =>
        one.name.toLowerCase() === plain || plain === `speaker ${index + 1}` || plain === String(index + 1),
    )
    if (rank < 0)
      return refused(`There is no speaker “${speaker}”; there are ${all.map((one) => one.name).join(', ')}.`)
    if (name.trim() === '') return refused('Say how the speaker is called.')
    const names = all.map((one, index) => (index === rank ? name.trim() : one.name))
    return edited({ ...edit, speakers: names }, `${all[rank]?.name ?? speaker} is called ${name.trim()}.`)
  },
})

const ORDER = ['first', 'second', 'third', 'fourth']

function told(found: Read) {
  const speaker = found.text('speaker')
  const name = found.text('name')
  if (speaker === null || name === null) return null
  const [order] = speaker.toLowerCase().split(' ')
  const place = ORDER.indexOf(order ?? '')
  const number = found.text('n')
  const read = number === null ? null : readNumber(number)
  return { speaker: place >= 0 ? `Speaker ${place + 1}` : read === null ? speaker : `Speaker ${read}`, name }
}
