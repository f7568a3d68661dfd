import { removeModel } from '../../domain/models/models.ts'
import { defineCommand, EXIT } from '../command.ts'
import { commandConfig } from '../open-home.ts'

/** Takes models out of the home. */
export const modelsRemove = defineCommand({
  summary: 'Take installed models out of the home and give their space back',
  positionals: ['NAME', '[NAME...]'],
  options: {},
  examples: [
    {
      line: 'cutroom models remove whisper-base',
      does: 'Models in a folder of your own (CUTROOM_MODELS) are left alone.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const config = commandConfig(options)
    const removed: { model: string; folder: string; bytes: number }[] = []
    for (const name of positionals) removed.push(await removeModel(config, name))
    if (options.json) terminal.out(JSON.stringify(removed))
    else
      for (const { model, bytes } of removed)
        terminal.out(`${model} is removed; ${(bytes / 1e6).toFixed(1)} MB are free again`)
    return EXIT.done
  },
})
