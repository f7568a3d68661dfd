/** The single file and the archive, started by a user without special rights. */
import { basename } from 'node:path'
import { good, untilAnswer } from './debian.ts'
import { type Made, must, type Steps } from './steps.ts'
import type { Machine } from './machine.ts'

const USER = 'somebody'

/** Starts it in the background and answers when it does; milliseconds from the start. */
async function answersAfter(machine: Machine, program: string, port: number): Promise<number> {
  const started = performance.now()
  const serve = `setsid ${program} serve --port ${port} --home /home/${USER}/data-${port} </dev/null >/home/${USER}/${port}.log 2>&1 &`
  await good(machine, serve, USER)
  try {
    return await untilAnswer(machine, `http://127.0.0.1:${port}/`, started)
  } catch (error) {
    throw new Error(await good(machine, `cat /home/${USER}/${port}.log`), { cause: error })
  } finally {
    await machine.sh(
      `pkill -TERM -u ${USER} node; for i in $(seq 100); do pgrep -u ${USER} node || exit 0; sleep 0.1; done`,
    )
  }
}

export async function checkPortable(steps: Steps, made: Made, boot: () => Promise<Machine>): Promise<void> {
  const machine = await boot()
  const single = `/packages/${basename(made.single)}`
  try {
    await good(machine, `useradd --create-home ${USER}`)
    await steps.step('the single file unpacks once, in private, then answers within 2 s', async () => {
      const first = await answersAfter(machine, single, 5001)
      steps.figure('single file: first start to answer', `${(first / 1000).toFixed(1)} s`)
      const times: number[] = []
      for (const port of [5002, 5003, 5004]) times.push(await answersAfter(machine, single, port))
      steps.figure(
        'single file: later starts to answer',
        times.map((time) => `${time.toFixed(0)} ms`).join(', '),
      )
      must(Math.min(...times) < 2000, `it took ${times.join(', ')} ms`)
      const modes = await good(machine, `cd /home/${USER}/.cache/cutroom && stat -c '%a %U' . *`)
      must(modes === `700 ${USER}\n700 ${USER}`, modes)
    })
    await steps.step('the single file finds everything it needs', async () => {
      // Lines begin with ok, warning (models that are not installed) or error.
      const said = await good(machine, `${single} doctor --home /home/${USER}/data`, USER)
      for (const name of ['runtime', 'ffmpeg', 'encoders', 'onnx', 'disk'])
        must(new RegExp(`^ok +${name} `, 'm').test(said), said)
    })
    await steps.step('the archive runs from where it is unpacked', async () => {
      await good(
        machine,
        `cd && tar --zstd -xf /packages/${basename(made.tar)} && mv ${basename(made.tar, '.tar.zst')} "an application"`,
        USER,
      )
      const milliseconds = await answersAfter(machine, `"/home/${USER}/an application/bin/cutroom"`, 5005)
      steps.figure('archive: start to answer', `${milliseconds.toFixed(0)} ms`)
      await good(
        machine,
        `ln -s "/home/${USER}/an application/bin/cutroom" /usr/bin/cutroom && cutroom --version`,
      )
    })
  } finally {
    await machine.stop()
  }
}
