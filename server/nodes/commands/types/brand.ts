import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { newText } from '../../editing/new-items.ts'
import { declareCommand, edited, refuse } from '../declare.ts'
import { choice, flag, maybe, number, params, text, where } from '../params.ts'
import { hasUrl, numberField } from '../settings.ts'
import { beside, stretchAt, stretchFor } from '../where.ts'

/** The export's volume for music without one. */
const USUAL_VOLUME = 0.2
const VOLUMES = { louder: 1.5, softer: 1 / 1.5, off: 0 } as const

export const music = declareCommand({
  name: 'music',
  label: 'Music volume',
  description: 'Makes the music louder or softer, sets its volume, or takes it away',
  examples: ['turn the music down', 'music volume 30%', 'no music'],
  says: ['music'],
  fillers: 'volume|loud',
  params: params({
    change: maybe(
      choice({
        louder: 'turn up|up|louder|raise|increase',
        softer: 'turn down|down|softer|quieter|lower|reduce|decrease|half|halve',
        off: 'turn off|switch off|off|mute|no|without|remove|delete|disable|hide|drop|lose|kill|stop|get rid of|take (?:off|away)|away',
      }),
    ),
    volume: maybe(number({ minimum: 0, maximum: 1, description: '0 to 1' }, 'share')),
  }),
  available: ({ backgroundMusicOption }) =>
    hasUrl(backgroundMusicOption) ? null : 'This clip has no music.',
  run(edit, _context, { change, volume }) {
    const config = edit.backgroundMusicOption
    const before = numberField(config, 'volume', USUAL_VOLUME)
    const wanted = volume ?? before * (change === undefined ? 1 : VOLUMES[change])
    const next = Math.min(1, Math.max(0, Math.round(wanted * 100) / 100))
    const percent = (value: number): string => `${Math.round(value * 100)} %`
    if (next === before) refuse(`The music is at ${percent(before)} already.`)
    const done =
      next === 0 ? 'The music is off.' : `The music is at ${percent(next)} instead of ${percent(before)}.`
    return edited({ ...edit, backgroundMusicOption: { ...config, volume: next } }, done)
  },
})

const CORNERS = { 'top left': 1, 'top right': 3, centre: 5, 'bottom left': 7, 'bottom right': 9 } as const

export const watermark = declareCommand({
  name: 'watermark',
  label: 'Watermark',
  description: 'Shows the watermark or takes it away, or moves it to a corner',
  examples: ['turn the watermark off', 'move the watermark to the bottom left'],
  says: ['watermark'],
  fillers: 'opacity|opaque|more|corner|our',
  params: params({
    on: maybe(flag('Shown')),
    corner: maybe(
      choice({
        'top left': '(?:top|upper)[ -]left',
        'top right': '(?:top|upper)[ -]right',
        'bottom left': '(?:bottom|lower)[ -]left',
        'bottom right': '(?:bottom|lower)[ -]right',
        centre: 'cent(?:re|er)|middle',
      }),
    ),
    opacity: maybe(
      number({ minimum: 0, maximum: 1 }, 'share', { 0.4: 'transparent|fainter|subtle|see-through' }),
    ),
  }),
  available: ({ watermarkConfig }) => (hasUrl(watermarkConfig) ? null : 'This clip has no watermark.'),
  run(edit, _context, { on, corner, opacity }) {
    const config = edit.watermarkConfig
    if (on === false)
      return edited(
        { ...edit, watermarkConfig: { ...config, enabled: false } },
        'The watermark is not shown.',
      )
    const { x: _x, y: _y, ...placed } = config
    const next = corner === undefined ? config : { ...placed, position: CORNERS[corner] }
    const parts = [
      corner === undefined ? [] : [corner === 'centre' ? 'is in the centre' : `is at the ${corner}`],
      opacity === undefined ? [] : [`is ${Math.round(opacity * 100)} % opaque`],
    ].flat()
    return edited(
      { ...edit, watermarkConfig: { ...next, ...omitUndefined({ opacity }), enabled: true } },
      `The watermark ${parts.length === 0 ? 'is shown' : parts.join(' and ')}.`,
    )
  },
})

export const endCard = declareCommand({
  name: 'end_card',
  label: 'End card',
  description: 'Takes the end card away, or says how long it is shown',
  examples: ['remove the end card', 'show the end card for 2 seconds'],
  says: ['endcard @on', ['endcard @seconds', { on: true }]],
  fillers: 'last|long|keep',
  params: params({
    on: flag('Shown', 'keep'),
    seconds: maybe(number({ minimum: 0.5, maximum: 60, unit: 's' }, 'length')),
  }),
  available: ({ endCardOption }) => (hasUrl(endCardOption) ? null : 'This clip has no end card.'),
  run(edit, _context, { on, seconds }) {
    if (!on) return edited({ ...edit, endCardOption: {} }, 'The clip has no end card.')
    const endCardOption = {
      ...edit.endCardOption,
      duration: seconds ?? refuse('The end card is shown already.'),
    }
    return edited({ ...edit, endCardOption }, `The end card is shown for ${endCardOption.duration} s.`)
  },
})

export const broll = declareCommand({
  name: 'broll',
  label: 'Remove b-roll',
  description: 'Takes b-roll away: all, or what covers a stretch',
  examples: ['remove the b-roll', 'no b-roll from 0:03 to 0:06'],
  says: [['off broll', {}]],
  fillers: 'pictures?|clips?|footage|videos?|images?',
  params: params(where),
  run(edit, context, at) {
    const stretch = stretchAt(edit, context, at)
    const before = edit.broll ?? context.broll
    const left = beside(before, stretch)
    const count = before.length - left.length
    if (count === 0) refuse(stretch === null ? 'This clip has no b-roll.' : 'There is no b-roll there.')
    return edited(
      { ...edit, broll: left },
      count === 1 ? 'One piece of b-roll is gone.' : `${count} pieces of b-roll are gone.`,
    )
  },
})

const MOST_OVERLAYS = 100

export const addText = declareCommand({
  name: 'add_text',
  label: 'Add text',
  description: 'Writes a text over the picture for a stretch',
  examples: ['write “Subscribe” on the picture from 0:02 to 0:05'],
  says: ['write|put|add|show|overlay|place|display @text'],
  fillers: 'texts?|words?|label|note|says|saying|reading|over|top|overlay',
  params: params({ text: text('The text'), ...where }),
  run(edit, context, { text: words, ...at }) {
    const stretch = stretchFor(edit, context, at, { usual: 3, least: 0.5 })
    const before = edit.overlays ?? []
    if (before.length >= MOST_OVERLAYS) refuse(`A clip has at most ${MOST_OVERLAYS} overlays.`)
    const overlays = [...before, newText(before, stretch, words)]
    return edited({ ...edit, overlays }, `“${words}” stands on the picture.`)
  },
})
