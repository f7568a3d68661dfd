import { listModels } from '../../domain/models/models.ts'
import { defineCommand, EXIT } from '../command.ts'
import { commandConfig } from '../open-home.ts'
import { table } from '../terminal.ts'

/** What is installed, what is missing, what each is for. */
export const modelsList = defineCommand({
  summary: 'List the models: what is there, what is missing, what each is for',
  positionals: [],
  options: {},
  examples: [
    { line: 'cutroom models list', does: 'With what is recommended for this machine.' },
    { line: 'cutroom models list --json', does: 'With size, licence, folder and address.' },
  ],
  run: async ({ options, terminal }) => {
    const models = await listModels(commandConfig(options))
    if (options.json) {
      terminal.out(JSON.stringify(models))
      return EXIT.done
    }
    const rows = models
      .filter(({ development, installed }) => installed || !development)
      .map(({ name, task, installed, inUse, recommended, bytes, goodFor }) => [
        name,
        task,
        installed ? (inUse ? 'in use' : 'installed') : recommended ? 'recommended' : 'missing',
        bytes === null ? '-' : `${(bytes / 1e6).toFixed(1)} MB`,
        goodFor,
      ])
    for (const line of table([['NAME', 'FOR', 'STATE', 'SIZE', 'GOOD FOR'], ...rows])) terminal.out(line)
    const wanted = models.filter(({ recommended, installed }) => recommended && !installed)
    if (wanted.length > 0)
      terminal.note(
        `For this machine: ${wanted.map(({ name }) => name).join(', ')}. Install them with: cutroom models install`,
      )
    else if (models.some(({ installed }) => !installed))
      terminal.note('Install one with: cutroom models install NAME')
    return EXIT.done
  },
})
