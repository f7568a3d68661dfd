/**
 * `nohup cutroom serve &` goes on when its terminal goes. nohup says so by having the signal ignored, and Node sets every
 * signal back as it starts, so that neither it nor we can see that (/proc/self/status tells of the time after). What is
 * left of it is told by who starts Node: the shell script bin/cutroom of the packages, which reads it of itself, and else
 * the shell that ran nohup, which leaves the program that it ran in `_`.
 */

type Environment = Readonly<Record<string, string | undefined>>

/** Whether the loss of the terminal is to end nothing. */
export function hangUpIsIgnored(environment: Environment = process.env): boolean {
  const setting = environment['CUTROOM_IGNORES_HANGUP'] ?? ''
  return setting === '' ? /(^|\/)nohup$/.test(environment['_'] ?? '') : setting === '1'
}

/** Puts it back as it was: with no handler at all Node would end. For the whole life of the process. */
export function heedNohup(): void {
  if (hangUpIsIgnored()) process.on('SIGHUP', () => undefined)
}
