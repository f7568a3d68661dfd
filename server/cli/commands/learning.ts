import type { LearningReport } from '../../contract/learning.ts'
import { describeLearning } from '../../domain/learning/learn.ts'
import { EXIT, type Terminal, optional } from '../command.ts'
import { defineHomeCommand } from '../open-home.ts'

/** What was learned from a company's own results. */
export const learningShow = defineHomeCommand({
  summary: 'Show what a company’s own results teach about its clips, and how well it ranks them',
  options: { company: optional('ID', 'whose results (local)') },
  examples: {
    'cutroom learning show': 'Examples, hit rate, and what counts for or against a clip.',
    'cutroom learning show --company acme --json': 'The same as JSON.',
  },
  run: ({ services, options, terminal }) => {
    const report = describeLearning(services, options.company ?? 'local')
    if (options.json) terminal.out(JSON.stringify(report))
    else show(report, terminal)
    return EXIT.done
  },
})

function show(report: LearningReport, terminal: Terminal): void {
  const { published, kept, passedOver, deleted } = report.from
  terminal.out(report.summary)
  terminal.out(
    `Examples: ${published} published, ${kept} edited or posted, ${deleted} deleted, ${passedOver} passed over.`,
  )
  for (const { meaning, points } of report.preferences)
    terminal.out(`  ${meaning}: ${Math.abs(points).toFixed(1)} points for it`)
  terminal.out(`Version ${report.version}, learned ${report.trainedAt}.`)
}
