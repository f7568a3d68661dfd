import { Type } from '@sinclair/typebox'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { DeliveryConfig } from '../../contract/delivery-config.ts'
import { declareNode } from '../declare.ts'

/** The file of a delivery profile, made once the clips of a run are there. The clip itself stays as it is. */
export const deliver = declareNode({
  type: 'deliver',
  label: 'Deliver',
  config: closedObject({
    enabled: booleanField('Make the file', true),
    delivery_config: Type.Optional(DeliveryConfig),
  }),
  innerSwitch: 'delivery_config',
  compile: () => ({}),
})
