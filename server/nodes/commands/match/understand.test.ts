/** What people may say, and which commands it is: the rules alone, no model. */
import { expect, it } from 'vitest'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { commandOf, COMMANDS } from '../index.ts'
import { understand } from './understand.ts'

const LENGTH = 30
type Call = readonly [name: string, given?: object]

/** The commands of a message; what was not understood is `?` with the words. */
const callsOf = (message: string): Call[] =>
  understand(message, LENGTH).map((part) =>
    part.kind === 'call' ? [part.call.name, part.call.arguments] : ['?', { text: part.text }],
  )

const C = (name: string, given: object = {}): Call => [name, given]

const TABLE: readonly (readonly [message: string, ...calls: Call[]])[] = [
  // Several wishes at once.
  [
    'cut the first sentence, make the captions yellow, add a zoom on ‘three times’',
    C('cut_sentences', { from: 'start', count: 1 }),
    C('caption_colour', { colour: 'yellow' }),
    C('add_zoom', { phrase: 'three times' }),
  ],
  ['remove the ums and the pauses', C('remove_fillers'), C('shorten_pauses', { over: 0.6 })],
  [
    'make the captions yellow and bigger',
    C('caption_colour', { colour: 'yellow' }),
    C('caption_size', { change: 'bigger' }),
  ],
  [
    'Make the captions bigger and move them up, then turn the music down.',
    C('caption_size', { change: 'bigger' }),
    C('caption_place', { place: 'higher' }),
    C('music', { change: 'softer' }),
  ],
  [
    'cut from 0:03 to 0:05 and 0:10 to 0:12',
    C('cut_time', { from: 3, to: 5 }),
    C('cut_time', { from: 10, to: 12 }),
  ],
  ['remove fillers; bleep the curse words', C('remove_fillers'), C('curse_words', { how: 'beep' })],
  [
    'cut the first and last sentence',
    C('cut_sentences', { from: 'start', count: 1 }),
    C('cut_sentences', { from: 'end', count: 1 }),
  ],
  [
    'Please remove the watermark and the end card, thanks!',
    C('watermark', { on: false }),
    C('end_card', { on: false }),
  ],
  [
    'can you make it square and call it “Salt and pepper”?',
    C('aspect', { ratio: '1:1' }),
    C('title_text', { text: 'Salt and pepper' }),
  ],
  [
    'Turn the captions off. Turn the title off. Turn the music off.',
    C('caption_switch', { what: 'captions', on: false }),
    C('title_switch', { on: false }),
    C('music', { change: 'off' }),
  ],
  [
    'first cut the last two sentences, then speed it up',
    C('cut_sentences', { from: 'end', count: 2 }),
    C('speed', { rate: 1.25 }),
  ],
  ['cut "so" and "three times"', C('cut_words', { phrase: 'so' }), C('cut_words', { phrase: 'three times' })],
  [
    'captions in uppercase, red, at the top',
    C('caption_case', { textCase: 'uppercase' }),
    C('caption_colour', { colour: 'red' }),
    C('caption_place', { place: 'top' }),
  ],
  [
    'add emojis and highlight keywords',
    C('caption_switch', { what: 'emojis', on: true }),
    C('caption_switch', { what: 'keywords', on: true }),
  ],
  // Words.
  ["cut 'three times'", C('cut_words', { phrase: 'three times' })],
  ['remove the words “you know” everywhere', C('cut_words', { phrase: 'you know', all: true })],
  ['delete "don\'t worry"', C('cut_words', { phrase: "don't worry" })],
  ['cut every "basically"', C('cut_words', { phrase: 'basically', all: true })],
  ['take out the phrase so the point is', C('cut_words', { phrase: 'so the point is' })],
  ['get rid of the part “in my opinion”', C('cut_words', { phrase: 'in my opinion' })],
  ['drop “well”', C('cut_words', { phrase: 'well' })],
  // Sentences.
  ['cut the first sentence', C('cut_sentences', { from: 'start', count: 1 })],
  ['remove the last two sentences', C('cut_sentences', { from: 'end', count: 2 })],
  ['Delete the opening sentence.', C('cut_sentences', { from: 'start', count: 1 })],
  ['please get rid of the final sentence', C('cut_sentences', { from: 'end', count: 1 })],
  ['trim the first 3 sentences', C('cut_sentences', { from: 'start', count: 3 })],
  ['cut the sentence with “budget”', C('cut_sentences', { phrase: 'budget' })],
  ['remove the sentence about money', C('cut_sentences', { phrase: 'money' })],
  ['delete the whole sentence where he says "we failed"', C('cut_sentences', { phrase: 'we failed' })],
  ['take out the last sentence', C('cut_sentences', { from: 'end', count: 1 })],
  // Times.
  ['cut from 0:12 to 0:15', C('cut_time', { from: 12, to: 15 })],
  ['remove seconds 3 to 5', C('cut_time', { from: 3, to: 5 })],
  ['delete everything between 0:04 and 0:06', C('cut_time', { from: 4, to: 6 })],
  ['cut 3s to 4.5s', C('cut_time', { from: 3, to: 4.5 })],
  ['cut out the part from two seconds to five seconds', C('cut_time', { from: 2, to: 5 })],
  ['cut 2 seconds from 0:10', C('cut_time', { from: 10, to: 12 })],
  ['cut everything after 0:20', C('cut_time', { from: 20, to: 30 })],
  ['remove everything before 0:02.5', C('cut_time', { from: 0, to: 2.5 })],
  ['cut 0:12-0:15', C('cut_time', { from: 12, to: 15 })],
  ['cut the first 3 seconds', C('cut_edge', { edge: 'start', seconds: 3 })],
  ['cut the first three seconds', C('cut_edge', { edge: 'start', seconds: 3 })],
  ['trim two seconds off the end', C('cut_edge', { edge: 'end', seconds: 2 })],
  ['remove the last half a second', C('cut_edge', { edge: 'end', seconds: 0.5 })],
  ['chop 1.5s off the start', C('cut_edge', { edge: 'start', seconds: 1.5 })],
  ['cut the last one and a half seconds', C('cut_edge', { edge: 'end', seconds: 1.5 })],
  ['lose the first second', C('cut_edge', { edge: 'start', seconds: 1 })],
  ['cut the first minute', C('cut_edge', { edge: 'start', seconds: 60 })],
  // Ends.
  ['start at ‘so the point is’', C('begin_at', { phrase: 'so the point is' })],
  ['begin at 0:04', C('begin_at', { seconds: 4 })],
  ['make it start with so the point is', C('begin_at', { phrase: 'so the point is' })],
  ['start when he says "look"', C('begin_at', { phrase: 'look' })],
  ['start the clip at 3 seconds', C('begin_at', { seconds: 3 })],
  ['cut everything before “so the point is”', C('begin_at', { phrase: 'so the point is' })],
  ['end with “that is all”', C('end_at', { phrase: 'that is all' })],
  ['stop at 0:20', C('end_at', { seconds: 20 })],
  ['end the clip after “three times”', C('end_at', { phrase: 'three times' })],
  ['remove everything after “thank you”', C('end_at', { phrase: 'thank you' })],
  ['keep only “three times”', C('keep_only', { phrase: 'three times' })],
  ['keep only 0:02 to 0:06', C('keep_only', { from: 2, to: 6 })],
  ['cut everything except "three times"', C('keep_only', { phrase: 'three times' })],
  ['put back “three times”', C('put_back', { phrase: 'three times' })],
  ['restore everything that was cut', C('put_back')],
  ['put everything back', C('put_back')],
  // Speech.
  ['remove all fillers', C('remove_fillers')],
  ['cut the ums and uhs', C('remove_fillers')],
  ['remove filler words', C('remove_fillers')],
  ['take out all the "um"s', C('remove_fillers')],
  ['no fillers', C('remove_fillers')],
  ['clean up the filler words please', C('remove_fillers')],
  ['shorten pauses over half a second', C('shorten_pauses', { over: 0.5 })],
  ['tighten the pauses', C('shorten_pauses', { over: 0.6 })],
  ['remove silences longer than 1 second', C('shorten_pauses', { over: 1 })],
  ['cut the dead air', C('shorten_pauses', { over: 0.6 })],
  ['shorten all pauses longer than 0.8s', C('shorten_pauses', { over: 0.8 })],
  ['bleep the curse words', C('curse_words', { how: 'beep' })],
  ['bleep out all swearing', C('curse_words', { how: 'beep' })],
  ['censor the profanity', C('curse_words', { how: 'beep' })],
  ['mute the swear words', C('curse_words', { how: 'silence' })],
  ['cut the swear words out', C('curse_words', { how: 'cut' })],
  ['remove curse words', C('curse_words', { how: 'cut' })],
  ['don’t bleep the curse words', C('curse_words', { how: 'keep' })],
  // Speed.
  ['speed up to 1.5x', C('speed', { rate: 1.5 })],
  ['make it faster', C('speed', { rate: 1.25 })],
  ['slow it down', C('speed', { rate: 0.8 })],
  ['play it at half speed', C('speed', { rate: 0.5 })],
  ['play at double speed', C('speed', { rate: 2 })],
  ['play “three times” at half speed', C('speed', { rate: 0.5, phrase: 'three times' })],
  ['normal speed', C('speed', { rate: 1 })],
  ['play it at normal speed', C('speed', { rate: 1 })],
  ['set the speed to 2x from 0:03 to 0:06', C('speed', { rate: 2, from: 3, to: 6 })],
  ['play at 120%', C('speed', { rate: 1.2 })],
  ['slow down the first 2 seconds', C('speed', { rate: 0.8, from: 0, to: 2 })],
  // Captions.
  ['make the captions yellow', C('caption_colour', { colour: 'yellow' })],
  ['captions should be red', C('caption_colour', { colour: 'red' })],
  ['yellow captions', C('caption_colour', { colour: 'yellow' })],
  ['make subtitles light blue', C('caption_colour', { colour: 'light blue' })],
  ['change the caption colour to #ffd60a', C('caption_colour', { colour: '#ffd60a' })],
  ['change the color of the captions to green', C('caption_colour', { colour: 'green' })],
  ['set the subtitle color to hot pink', C('caption_colour', { colour: 'hot pink' })],
  ['colour the spoken word green', C('caption_colour', { colour: 'green', part: 'spoken word' })],
  ['make the highlighted word orange', C('caption_colour', { colour: 'orange', part: 'spoken word' })],
  ['make the keywords red', C('caption_colour', { colour: 'red', part: 'keywords' })],
  ['black background behind the captions', C('caption_colour', { colour: 'black', part: 'background' })],
  ['give the captions a white box', C('caption_colour', { colour: 'white', part: 'background' })],
  ['make the caption outline black', C('caption_colour', { colour: 'black', part: 'outline' })],
  ['make the captions bigger', C('caption_size', { change: 'bigger' })],
  ['bigger captions', C('caption_size', { change: 'bigger' })],
  ['make the subtitles a lot bigger', C('caption_size', { change: 'much bigger' })],
  ['make the captions a bit smaller', C('caption_size', { change: 'smaller' })],
  ['caption size 90', C('caption_size', { size: 90 })],
  ['set the caption font size to 64', C('caption_size', { size: 64 })],
  ['increase the caption size', C('caption_size', { change: 'bigger' })],
  ['use the neon captions', C('caption_style', { preset: 'neon' })],
  ['change the caption style to karaoke', C('caption_style', { preset: 'karaoke' })],
  ['captions like documentary', C('?', { text: 'captions like documentary' })],
  ['make the captions look like neon', C('caption_style', { preset: 'neon' })],
  ['use the minimal style for the subtitles', C('caption_style', { preset: 'minimal' })],
  ['put the captions at the top', C('caption_place', { place: 'top' })],
  ['captions in the middle', C('caption_place', { place: 'middle' })],
  ['move the subtitles to the bottom of the screen', C('caption_place', { place: 'bottom' })],
  ['move the captions up a bit', C('caption_place', { place: 'higher' })],
  ['move the captions lower', C('caption_place', { place: 'lower' })],
  ['captions at 60%', C('caption_place', { percent: 60 })],
  ['captions in uppercase', C('caption_case', { textCase: 'uppercase' })],
  ['all caps captions', C('caption_case', { textCase: 'uppercase' })],
  ['make the captions lowercase', C('caption_case', { textCase: 'lowercase' })],
  ['turn the captions off', C('caption_switch', { what: 'captions', on: false })],
  ['hide the subtitles', C('caption_switch', { what: 'captions', on: false })],
  ['no captions', C('caption_switch', { what: 'captions', on: false })],
  ['show captions', C('caption_switch', { what: 'captions', on: true })],
  ['turn captions back on', C('caption_switch', { what: 'captions', on: true })],
  ['add emojis to the captions', C('caption_switch', { what: 'emojis', on: true })],
  ['no emojis', C('caption_switch', { what: 'emojis', on: false })],
  ['emojis off', C('caption_switch', { what: 'emojis', on: false })],
  ['make the captions bold', C('caption_switch', { what: 'bold', on: true })],
  ['captions in italics', C('caption_switch', { what: 'italic', on: true })],
  ['no shadow on the captions', C('caption_switch', { what: 'shadow', on: false })],
  ['remove the background of the captions', C('caption_switch', { what: 'background', on: false })],
  ['captions on one line', C('caption_lines', { lines: 1 })],
  ['captions on at most two lines', C('caption_lines', { lines: 2 })],
  ['at most 20 characters per caption line', C('caption_lines', { characters: 20 })],
  // Title.
  ['change the title to “Three times”', C('title_text', { text: 'Three times' })],
  ['rename the clip to How we failed', C('title_text', { text: 'How we failed' })],
  ['call it Salt and pepper', C('title_text', { text: 'Salt and pepper' })],
  ['set the headline to "Wait for it"', C('title_text', { text: 'Wait for it' })],
  ['the title should say “No way”', C('title_text', { text: 'No way' })],
  ['turn the title off', C('title_switch', { on: false })],
  ['remove the headline', C('title_switch', { on: false })],
  ['show the title for 3 seconds', C('title_switch', { on: true, seconds: 3 })],
  ['keep the title for the whole clip', C('title_switch', { on: true, seconds: 0 })],
  ['give the title the headline look', C('title_look', { preset: 'Headline' })],
  ['make the title red', C('title_look', { palette: 'red' })],
  ['change the title style to poster', C('title_look', { preset: 'Poster' })],
  // Zooms.
  ["add a zoom on 'three times'", C('add_zoom', { phrase: 'three times' })],
  ['zoom in when he says three times', C('add_zoom', { phrase: 'three times' })],
  ['zoom in from 0:03 to 0:05', C('add_zoom', { from: 3, to: 5 })],
  ['zoom in at 0:05 for two seconds', C('add_zoom', { from: 5, to: 7 })],
  ['zoom in here', C('add_zoom')],
  ['zoom in', C('add_zoom')],
  ['punch in on “look”', C('add_zoom', { phrase: 'look' })],
  ['add a slow zoom for the last 2 seconds', C('add_zoom', { from: 28, to: 30 })],
  ['zoom in by 150% on “look”', C('add_zoom', { phrase: 'look', scale: 1.5 })],
  ['zoom in a lot at 0:04', C('add_zoom', { from: 4, scale: 1.6 })],
  ['when she says “look”, zoom in', C('add_zoom', { phrase: 'look' })],
  ['zoom 1.5x on "look"', C('add_zoom', { phrase: 'look', scale: 1.5 })],
  ['remove all zooms', C('remove_zooms')],
  ['remove the zoom on “look”', C('remove_zooms', { phrase: 'look' })],
  ['no zooms from 0:03 to 0:09', C('remove_zooms', { from: 3, to: 9 })],
  ['turn on smart zoom', C('auto_zooms', { on: true })],
  ['no automatic zooms', C('auto_zooms', { on: false })],
  // Layout.
  ['show the whole picture', C('layout', { kind: 'whole' })],
  ['show the full frame from 0:02 to 0:05', C('layout', { kind: 'whole', from: 2, to: 5 })],
  ['follow the speaker', C('layout', { kind: 'follow' })],
  ['split the screen', C('layout', { kind: 'split' })],
  ['use a split screen for the first 4 seconds', C('layout', { kind: 'split', from: 0, to: 4 })],
  ['fill the frame', C('layout', { kind: 'fill' })],
  ['automatic layout', C('layout', { kind: 'automatic' })],
  ['make it vertical', C('aspect', { ratio: '9:16' })],
  ['change the aspect ratio to 4:5', C('aspect', { ratio: '4:5' })],
  ['convert the video to 16:9', C('aspect', { ratio: '16:9' })],
  // Sound and brand.
  ['turn the music down', C('music', { change: 'softer' })],
  ['music off', C('music', { change: 'off' })],
  ['no music', C('music', { change: 'off' })],
  ['make the music louder', C('music', { change: 'louder' })],
  ['music volume 30%', C('music', { volume: 0.3 })],
  ['set the music volume to 0.4', C('music', { volume: 0.4 })],
  ['turn the watermark off', C('watermark', { on: false })],
  ['move the logo to the bottom left', C('watermark', { corner: 'bottom left' })],
  ['watermark at 50%', C('watermark', { opacity: 0.5 })],
  ['remove the end card', C('end_card', { on: false })],
  ['no outro', C('end_card', { on: false })],
  ['show the end card for 2 seconds', C('end_card', { on: true, seconds: 2 })],
  ['remove the b-roll', C('broll')],
  ['no b-roll from 0:03 to 0:06', C('broll', { from: 3, to: 6 })],
  [
    'write “Subscribe” on the picture from 0:02 to 0:05',
    C('add_text', { text: 'Subscribe', from: 2, to: 5 }),
  ],
  ['rename speaker 1 to Anna', C('name_speaker', { speaker: 'Speaker 1', name: 'Anna' })],
  ['call the second speaker “Ben”', C('name_speaker', { speaker: 'Speaker 2', name: 'Ben' })],
  // The session.
  ['undo', C('undo')],
  ['undo that please', C('undo')],
  ['redo', C('redo')],
  ['what can you do?', C('help')],
  ['help', C('help')],
  // What is no command.
  ['what a lovely day', C('?', { text: 'what a lovely day' })],
  ['render and publish it', C('?', { text: 'render' }), C('?', { text: 'publish it' })],
  ['mach die Untertitel gelb', C('?', { text: 'mach die Untertitel gelb' })],
  [
    'make it pop and cut the first sentence',
    C('?', { text: 'make it pop' }),
    C('cut_sentences', { from: 'start', count: 1 }),
  ],
]

it(`understands more than 150 sentences`, () => {
  expect(new Set(TABLE.map(([message]) => message)).size).toBeGreaterThanOrEqual(150)
})

it.each(TABLE.map(([message, ...calls]) => ({ message, calls })))('$message', ({ message, calls }) => {
  expect(callsOf(message)).toEqual(calls)
})

it.each(COMMANDS.flatMap(({ name, examples }) => examples.map((example) => [example, name] as const)))(
  'an example means its command: %s',
  (example, name) => {
    const [first, ...rest] = understand(example, LENGTH)
    expect(rest).toEqual([])
    expect(first).toMatchObject({ kind: 'call', call: { name } })
  },
)

it('makes arguments that fit the schema of their command only', () => {
  for (const [message] of TABLE)
    for (const part of understand(message, LENGTH)) {
      if (part.kind !== 'call') continue
      const schema = commandOf(part.call.name)?.params ?? Type.Never()
      expect([...Value.Errors(schema, part.call.arguments)], message).toEqual([])
    }
})
