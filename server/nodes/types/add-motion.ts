import { Type } from '@sinclair/typebox'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { MotionConfig } from '../../contract/motion-config.ts'
import { declareNode } from '../declare.ts'
import { placeTransitions } from '../motion/transitions.ts'

/** Transitions between takes and at the edges of b-roll, and keyframes. */
export const addMotion = declareNode({
  type: 'add_motion',
  label: 'Transitions',
  config: closedObject({
    enabled: booleanField('Show transitions', true),
    motion_config: Type.Optional(MotionConfig),
  }),
  innerSwitch: 'motion_config',
  compile: ({ motion_config: motion = {} }, context) => ({
    transitions: placeTransitions(motion, context),
    motion,
  }),
})
