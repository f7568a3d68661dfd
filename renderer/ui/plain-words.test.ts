import { expect, it } from 'vitest'
import { inPlainWords, isForOperators } from './plain-words.ts'

it.each([
  [
    'This host name or origin is not allowed; see CUTROOM_ALLOWED_HOSTS.',
    'This host name or origin is not allowed; see the appliance’s setting “allowed hosts”.',
  ],
  [
    'There is no webhook "x"; `cutroom webhook list` shows them.',
    'There is no webhook "x"; the command line shows them.',
  ],
  [
    'No model for faces is installed; install it with: cutroom models install yunet',
    'No model for faces is installed; install it under Settings, Models',
  ],
  ['What it answered is not JSON.', 'What it answered cannot be read.'],
  ['A clip is not there.', 'A clip is not there.'],
])('%s', (written, plain) => {
  expect(inPlainWords(written)).toBe(plain)
  expect(isForOperators(plain)).toBe(false)
})
