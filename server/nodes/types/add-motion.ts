import { Type } from '@sinclair/typebox'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { MotionConfig } from '../../contract/motion-config.ts'
import { declareNode } from '../declare.ts'
import { placeSounds, soundNeeds } from '../motion/sounds.ts'
import { placeTransitions } from '../motion/transitions.ts'

/** Transitions between takes and at the edges of b-roll, sound effects, and keyframes. */
export const addMotion = declareNode({
  type: 'add_motion',
  label: 'Transitions',
  config: closedObject({
    enabled: booleanField('Show transitions', true),
    motion_config: Type.Optional(MotionConfig),
  }),
  innerSwitch: 'motion_config',
  assets: ({ motion_config: motion = {} }) => soundNeeds(motion),
  compile({ motion_config: motion = {} }, context) {
    const transitions = placeTransitions(motion, context)
    return { motion: { transitions, config: motion }, ...placeSounds(motion, transitions, context) }
  },
})
