import { declareCommand, rule } from './declare.ts'

export const undo = declareCommand({
  name: 'undo',
  examples: ['undo'],
  rules: [
    rule(
      'undo(?: (?:it|that|this|the last (?:one|edit|change|step|thing)|the last))?|(?:take|put) (?:it|that) back|go back(?: (?:one|a) step)?|revert(?: (?:it|that|the last change))?|never ?mind|scratch that|step back',
      () => ({}),
    ),
  ],
  run: () => ({ kind: 'undo' }),
})

export const redo = declareCommand({
  name: 'redo',
  examples: ['redo'],
  rules: [
    rule(
      'redo(?: (?:it|that|this|the last (?:one|edit|change|step)))?|do (?:it|that) again(?: after all)?|step forward',
      () => ({}),
    ),
  ],
  run: () => ({ kind: 'redo' }),
})

export const help = declareCommand({
  name: 'help',
  examples: ['what can you do?'],
  rules: [
    rule(
      'help(?: me)?|what (?:can|could|do) (?:you|i|we) (?:do|say|ask|change|type|write|edit)(?: (?:here|for me|with (?:it|this|the clip)))?|what (?:are|is) (?:the |your )?(?:commands?|options?|possible)|how (?:does|do) (?:this|it|you|i use (?:it|this)) ?(?:work)?|commands?|examples?|show (?:me )?(?:the )?(?:help|commands|examples)|hi|hello|hey|\\?',
      () => ({}),
    ),
  ],
  run: () => ({ kind: 'help' }),
})
