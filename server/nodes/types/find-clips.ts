import { Type } from '@sinclair/typebox'
import {
  booleanField,
  choiceField,
  closedObject,
  describedObject,
  listField,
  numberField,
  textField,
} from '../../contract/config-fields.ts'
import { declareNode, type JsonObject } from '../declare.ts'
import { own } from '../merge.ts'

const PinnedRange = describedObject('A range of the source; what of it lies outside is left away', {
  start: Type.Number({ description: 'Seconds in the source' }),
  end: Type.Number({ description: 'Seconds in the source' }),
})

/** Chooses the parts of the source that become clips. */
export const findClips = declareNode({
  type: 'find_clips',
  label: 'Find clips',
  config: closedObject({
    enabled: booleanField('Find clips; when off the whole source is one clip', true),
    min_length: numberField('Shortest clip, seconds', { exclusiveMinimum: 0, default: 20 }),
    max_length: numberField('Longest clip, seconds', { exclusiveMinimum: 0, default: 60 }),
    model_key: choiceField('What is looked at', ['conversational', 'multimodal'], 'conversational'),
    prompt: textField('What makes a good clip here; replaces the built-in guidance', 20_000),
    promptAdjustment: textField('Guidance added to the prompt', 20_000),
    speechModel: textField(
      'Speech model that writes the words; empty: chosen by what the machine can do',
      100,
    ),
    renderEverything: booleanField(
      'In the studio: render every clip that is found; when off, those that are kept. Watched folders render every clip unless this is switched off; the APIs always do',
      false,
    ),
    pinnedTimestamps: listField(PinnedRange, 'Ranges of the source that become clips', 500),
    pinnedTimestampsOnly: booleanField('Return the pinned clips only', false),
    pinnedTimestampMode: choiceField(
      '`search_within` finds clips inside the pinned ranges; otherwise the ranges are the clips',
      ['search_within', 'ranges'],
    ),
  }),
  /** A bound that a request sets moves the bound it contradicts when that one was set by an earlier layer. */
  settle({ layer, merged, warn }) {
    const min = own(merged, 'min_length')
    const max = own(merged, 'max_length')
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return merged
    const setsMin = own(layer, 'min_length') !== undefined
    const setsMax = own(layer, 'max_length') !== undefined
    if (setsMin === setsMax) return merged
    const moved = setsMin ? { max_length: min } : { min_length: max }
    warn(
      setsMin
        ? `The shortest clip of ${min} s is above the template's longest of ${max} s; clips of ${min} s are looked for.`
        : `The longest clip of ${max} s is below the template's shortest of ${min} s; clips of ${max} s are looked for.`,
    )
    return { ...merged, ...moved } satisfies JsonObject
  },
  check(config) {
    const { min_length: min, max_length: max } = config
    if (min !== undefined && max !== undefined && min > max) {
      return { path: 'min_length', expected: `at most max_length (${max})` }
    }
    const wrong = (config.pinnedTimestamps ?? []).findIndex((range) => range.end <= range.start)
    return wrong === -1
      ? null
      : { path: `pinnedTimestamps.${wrong}.end`, expected: 'a number above the start of the range' }
  },
  /** Its work is done before there is a clip. */
  compile: () => ({}),
})
