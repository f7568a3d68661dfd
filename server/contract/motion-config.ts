/** How a clip's takes follow each other. Every field is optional. */
import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  choice,
  choiceField,
  closedObject,
  describedObject,
  listField,
  numberField,
} from './config-fields.ts'
import { TRANSITION_COLOURS, TRANSITION_NAMES } from './transitions/registry.ts'

/** No transition, or one of the registry. */
const TRANSITION_CHOICES = ['none', ...TRANSITION_NAMES] as const

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
  },
  { description: 'The transition at one cut, in place of the usual one' },
)

export const MotionConfig = describedObject('Transitions between takes', {
  enabled: booleanField('Show transitions', true),
  transition: choiceField('Transition between takes', TRANSITION_CHOICES, 'none'),
  transitionSeconds: secondsField('Seconds that a transition between takes takes'),
  transitionColor: choiceField('Colour that it goes through, of a dip', TRANSITION_COLOURS, 'black'),
  cuts: listField(CutTransition, 'Transitions at single cuts, in place of the usual one', 500),
})
export type MotionConfig = Static<typeof MotionConfig>
