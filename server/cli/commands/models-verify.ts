import { findBrokenModels, listModels, verifyModel } from '../../domain/models/models.ts'
import { defineCommand, EXIT } from '../command.ts'
import { commandConfig } from '../open-home.ts'
import { progressReporter } from '../progress.ts'

/** Checks files against their checksums and loads each model once. */
export const modelsVerify = defineCommand({
  summary: 'Check installed models: checksums, and that each one loads',
  positionals: ['[NAME...]'],
  options: {},
  examples: [
    { line: 'cutroom models verify', does: 'All that are installed; exit code 1 when one is bad.' },
    { line: 'cutroom models verify whisper-base --json', does: '[{ "model", "ok", "problem" }]' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const config = commandConfig(options)
    const installed = (await listModels(config)).filter((model) => model.installed).map(({ name }) => name)
    const names = positionals.length > 0 ? positionals : [...installed, ...(await findBrokenModels(config))]
    const progress = progressReporter(terminal)
    const verdicts: { model: string; ok: boolean; problem: string | null }[] = []
    for (const [place, model] of names.entries()) {
      progress.update(place / names.length, `Checking ${model}`)
      verdicts.push({ model, ...(await verifyModel(config, model)) })
    }
    progress.end()
    if (options.json) terminal.out(JSON.stringify(verdicts))
    else {
      if (verdicts.length === 0) terminal.out('No model is installed.')
      for (const { model, problem } of verdicts) terminal.out(`${model}: ${problem ?? 'sound'}`)
    }
    return verdicts.every(({ ok }) => ok) ? EXIT.done : EXIT.failed
  },
})
