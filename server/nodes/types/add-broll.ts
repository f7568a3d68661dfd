import { Type } from '@sinclair/typebox'
import {
  booleanField,
  choice,
  choiceField,
  closedObject,
  listField,
  textField,
} from '../../contract/config-fields.ts'
import { brollLayers, brollNeeds } from '../broll/layers.ts'
import { declareNode } from '../declare.ts'

/**
 * Covers stretches of the clip with other pictures. What is shown when was chosen when the clip was made (`broll` of its
 * document); here it is only laid out.
 */
export const addBroll = declareNode({
  type: 'add_broll',
  label: 'Add b-roll',
  config: closedObject({
    enabled: booleanField('Add b-roll', true),
    prompt: textField('What to show', 20_000),
    broll_frequency: choiceField('How often', ['low', 'medium', 'high'], 'medium'),
    allowed_methods: listField(
      choice(['google_images', 'youtube', 'getty']),
      'Where pictures may come from',
      10,
    ),
    enable_ai_broll: booleanField('Make pictures where none is found', false),
    use_broll_library: booleanField('Use the library of the company', true),
    library_folder_ids: listField(
      Type.String({ maxLength: 200 }),
      'Folders of the library; empty means all',
      500,
    ),
  }),
  assets: (_config, document) => brollNeeds(document.broll),
  compile(_config, context) {
    const { broll, overrides } = context.document
    if (broll !== undefined) return brollLayers(broll, context, overrides?.broll !== undefined)
    return { warnings: ['add_broll: this clip was made without b-roll, so there is none to show.'] }
  },
})
