import { declareCommands } from '../declare.ts'

/** A person's alone: no tool of a model or an agent. */
export const session = declareCommands({
  undo: {
    description: 'Takes the last edit back',
    examples: ['undo'],
    says: [
      'undo|take_it_back|take_that_back|put_back_(?:it|that)(?!_all)|go_back|revert|nevermind|never_mind|scratch_that|step_back',
    ],
    fillers: 'the last (?:one|edit|change|step|thing)|the last|one step|a step|step',
    params: {},
    run: () => 'undo',
  },
  redo: {
    description: 'Does again what was taken back',
    examples: ['redo'],
    says: ['redo|do_it_again|do_that_again|step_forward'],
    fillers: 'the last (?:one|edit|change|step)|after all',
    params: {},
    run: () => 'redo',
  },
  help: {
    description: 'Says what can be asked for',
    examples: ['what can you do?'],
    says: [
      'help|commands?|examples?|hi|hello|hey|\\?',
      'what_can|what_could|what_do you|i|we do|say|ask|change|type|write|edit',
      'what_are|what_is commands?|options?|possible',
      'how you|this|it|use',
    ],
    fillers: 'show|here|work|for me|with (?:it|this|the clip)|how|i|options?|commands?',
    params: {},
    run: () => 'help',
  },
})
