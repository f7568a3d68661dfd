/** How a clip's takes and b-roll follow each other, and how its layers move. Every field is optional. */
import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  choice,
  choiceField,
  closedObject,
  describedObject,
  listField,
  numberField,
  unitField,
} from './config-fields.ts'
import { ANIMATED_NAMES } from './keyframes/animated.ts'
import { Curve } from './keyframes/curves.ts'
import { EASING_NAMES } from './keyframes/easings.ts'
import { SOUND_NAMES } from './sounds.ts'
import { TRANSITION_COLOURS, TRANSITION_NAMES } from './transitions/registry.ts'

/** No transition, or one of the registry. */
const TRANSITION_CHOICES = ['none', ...TRANSITION_NAMES] as const

const SOUND_CHOICES = ['none', ...SOUND_NAMES] as const

/** Seconds. */
export const TRANSITION_LENGTH = { minimum: 0.1, maximum: 3, default: 0.4 } as const

const secondsField = (description: string) => numberField(`${description} (default 0.4)`, TRANSITION_LENGTH)

const CutTransition = closedObject(
  {
    at: Type.Number({
      minimum: 0,
      description: 'Source second of the cut: any that is left out there, or its edges',
    }),
    transition: choice(TRANSITION_CHOICES),
    seconds: secondsField('Seconds that it takes'),
    color: choiceField('Colour that it goes through, of a dip', TRANSITION_COLOURS, 'black'),
    sound: choiceField('Sound effect at it', SOUND_CHOICES),
  },
  { description: 'The transition at one cut, in place of the usual one' },
)

const PlacedSound = closedObject(
  {
    sound: choice(SOUND_NAMES),
    at: Type.Number({ minimum: 0, description: 'Source second: of its peak, or of where it leads to' }),
    volume: unitField('Loudness, 0 to 1', 0.5),
  },
  { description: 'A sound effect' },
)

const Keyframes = closedObject(
  {
    layer: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Id of the layer or track: title, captions, watermark, music, overlay:ID, or that of b-roll',
    }),
    property: choice(ANIMATED_NAMES, {
      description: 'Places and sizes in units of 1080 on the short side; opacity 0 to 1; levelDb of sound',
    }),
    points: Type.Array(
      closedObject({
        time: Type.Number({ minimum: 0, description: 'Source second' }),
        value: Type.Number(),
        easing: choiceField('The way to the next one', EASING_NAMES, 'linear'),
        curve: Type.Optional(Curve),
      }),
      { minItems: 1, maxItems: 200 },
    ),
  },
  { description: 'A property of a layer over time' },
)

export const MotionConfig = describedObject('Transitions, and what moves', {
  enabled: booleanField('Show transitions', true),
  transition: choiceField('Transition between takes', TRANSITION_CHOICES, 'none'),
  transitionSeconds: secondsField('Seconds that a transition between takes takes'),
  transitionColor: choiceField('Colour that it goes through, of a dip', TRANSITION_COLOURS, 'black'),
  transitionSound: choiceField('Sound effect at each transition between takes', SOUND_CHOICES, 'none'),
  cuts: listField(CutTransition, 'Transitions at single cuts, in place of the usual one', 500),
  sounds: listField(PlacedSound, 'Sound effects at moments of their own', 200),
  keyframes: listField(Keyframes, 'Properties of layers over time', 200),
  brollTransition: choiceField('Transition at the edges of b-roll', TRANSITION_CHOICES, 'none'),
  brollTransitionSeconds: secondsField('Seconds that a transition at the edges of b-roll takes'),
  brollTransitionColor: choiceField('Colour that it goes through, of a dip', TRANSITION_COLOURS, 'black'),
})
export type MotionConfig = Static<typeof MotionConfig>
