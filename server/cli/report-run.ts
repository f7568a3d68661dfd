/** Prints what became of a run and its clips; the exit code. */
import { EXIT, type Terminal } from './command.ts'
import type { FinishedRun } from './run-on-home.ts'

export function reportRun(finished: FinishedRun, json: boolean, terminal: Terminal): number {
  if (json) terminal.out(JSON.stringify(finished))
  else {
    for (const warning of finished.run.warnings) terminal.note(`Note: ${warning}`)
    if (finished.run.status === 'Pending') terminal.out(`Run ${finished.run.id} is queued.`)
    finished.clips.forEach((clip, place) => {
      terminal.out(`${String(place + 1).padStart(2)}. ${clip.title}`)
      terminal.out(
        `    ${clip.duration.toFixed(1)} s, score ${Math.round(clip.viralityScore)}, ${clip.file ?? clip.id}`,
      )
    })
  }
  if (finished.run.status !== 'Error') return EXIT.done
  if (!json)
    terminal.note(`cutroom: the run failed (${finished.run.code ?? 'INTERNAL'}): ${finished.run.error ?? ''}`)
  return EXIT.failed
}
