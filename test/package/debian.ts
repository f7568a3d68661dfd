/** The life of the Debian package on one machine: installed, used, upgraded, removed, purged. */
import { basename } from 'node:path'
import { type Made, must, type Steps } from './steps.ts'
import type { Machine } from './machine.ts'

const DPKG = 'DEBIAN_FRONTEND=noninteractive dpkg'

/** Runs it and throws with its whole output when it fails. */
export async function good(machine: Machine, script: string, user?: string): Promise<string> {
  const { code, stdout, stderr } = await machine.sh(script, user)
  must(code === 0, `"${script}" ended with ${code}:\n${stdout}${stderr}`)
  return stdout.trim()
}

/** Waits until an address answers; milliseconds since `from` (performance.now()). */
export async function untilAnswer(machine: Machine, url: string, from: number): Promise<number> {
  const loop = `for i in $(seq 600); do curl -fs -o /dev/null ${url} && exit 0; sleep 0.05; done; exit 1`
  await good(machine, loop)
  return performance.now() - from
}

const JOURNAL = 'journalctl -u cutroom --no-pager -o cat'

export async function checkDebian(steps: Steps, made: Made, boot: () => Promise<Machine>): Promise<void> {
  const [deb, next] = [made.deb, made.nextDeb].map((file) => `/packages/${basename(file)}`)
  const machine = await boot()
  try {
    await steps.step('installs, starts, answers, and gives a way in', async () => {
      const started = performance.now()
      await good(machine, `DEBIAN_FRONTEND=noninteractive apt-get install -y ${deb}`)
      steps.figure('installing the .deb', `${((performance.now() - started) / 1000).toFixed(1)} s`)
      await untilAnswer(machine, 'http://127.0.0.1:4810/', started)
      const page = await good(machine, 'curl -fs http://127.0.0.1:4810/')
      must(page.includes('<div id="app"') || page.includes('<script'), `no studio: ${page.slice(0, 300)}`)
      must(
        (await good(machine, JOURNAL)).includes('/studio/sign-in?token='),
        'no sign-in link in the journal',
      )
      await good(machine, 'dpkg --verify cutroom && cutroom --version')
      const link = await good(machine, 'cutroom-service people invite "Ada" --role editor')
      must(link.includes('/studio/sign-in?token='), link)
    })
    await steps.step('starts again soon', async () => {
      await good(machine, 'systemctl stop cutroom')
      const started = performance.now()
      await good(machine, 'systemctl start cutroom')
      const milliseconds = await untilAnswer(machine, 'http://127.0.0.1:4810/', started)
      steps.figure('service: from start to answer', `${milliseconds.toFixed(0)} ms`)
      must(milliseconds < 10_000, `it took ${milliseconds} ms`)
    })
    await steps.step('runs as its own user, and may do little', () => checkSandbox(steps, machine))
    await steps.step('finds all it needs under its restrictions, its own for ffmpeg among it', async () => {
      const folder = '/etc/systemd/system/cutroom.service.d'
      const doctor = '/usr/lib/cutroom/bin/node /usr/lib/cutroom/server/cli/bin.mjs doctor'
      const lines = ['[Service]', 'Type=oneshot', 'Restart=no', 'ExecStart=', `ExecStart=-${doctor}`]
      const text = [...lines, 'StandardOutput=truncate:/run/doctor.txt'].join('\\n')
      await good(machine, `mkdir -p ${folder} && printf '${text}\\n' > ${folder}/doctor.conf`)
      await good(machine, 'systemctl daemon-reload && systemctl stop cutroom && systemctl start cutroom')
      const reported = await good(machine, 'cat /run/doctor.txt')
      for (const name of ['runtime', 'home', 'database', 'ffmpeg', 'encoders', 'onnx', 'confinement'])
        must(new RegExp(`^ok +${name} `, 'm').test(reported), reported)
      await good(machine, `rm -r ${folder} && systemctl daemon-reload && systemctl start cutroom`)
      await untilAnswer(machine, 'http://127.0.0.1:4810/', performance.now())
    })
    await steps.step('makes clips as a service: ffmpeg, fonts, models under its restrictions', async () => {
      const source = '/usr/lib/cutroom/resources/sample/sample.mp4'
      const words = `run ${source} --workflow "Vertical shorts" --company local --wait --json`
      const output = await good(machine, `cutroom-service ${words}`)
      must(output.includes('"clips"') || output.includes('clip'), output)
      const files = await good(machine, 'find /var/lib/cutroom -type f -size +100k | wc -l')
      must(Number(files) > 2, `only ${files} large files in the home`)
      const open = await good(
        machine,
        'find /var/lib/cutroom ! -user cutroom -o -perm /077 ! -type l | head -3',
      )
      must(open === '', `others can read ${open}`)
    })
    await steps.step('an upgrade keeps the home and what was changed in /etc/cutroom', async () => {
      await good(machine, 'echo CUTROOM_PORT=4811 >> /etc/cutroom/cutroom.env')
      await good(machine, 'cutroom-service company create second --name Second')
      await good(machine, `${DPKG} -i ${next}`)
      await untilAnswer(machine, 'http://127.0.0.1:4811/', performance.now())
      must(
        (await good(machine, "dpkg-query -W -f '${Version}' cutroom")) === made.nextVersion,
        'not the new version',
      )
      must(
        (await good(machine, 'cutroom --version')).includes(made.nextVersion),
        'the program is the old one',
      )
      must((await good(machine, 'cutroom-service company list')).includes('second'), 'the company is gone')
    })
    await steps.step(
      'removed, nothing runs and the home is there; installed again, all is as before',
      async () => {
        await good(machine, `${DPKG} -r cutroom`)
        must((await machine.sh('pgrep -u cutroom')).stdout === '', 'something still runs')
        must((await machine.sh('ls /usr/lib/cutroom /usr/bin/cutroom')).code !== 0, 'files were left')
        await good(machine, 'test -f /var/lib/cutroom/cutroom.sqlite && test -f /etc/cutroom/cutroom.env')
        await good(machine, `${DPKG} -i ${next}`)
        await untilAnswer(machine, 'http://127.0.0.1:4811/', performance.now())
        must((await good(machine, 'cutroom-service company list')).includes('second'), 'the company is gone')
      },
    )
    await steps.step(
      'a purge that nobody answers for keeps the home; one that was answered deletes it',
      async () => {
        await good(machine, `${DPKG} -P cutroom`)
        await good(machine, 'test -f /var/lib/cutroom/cutroom.sqlite && ! test -e /etc/cutroom')
        await good(machine, `${DPKG} -i ${next}`)
        await good(machine, 'echo cutroom cutroom/purge-home boolean true | debconf-set-selections')
        await good(machine, `${DPKG} -P cutroom`)
        await good(machine, '! test -e /var/lib/cutroom && ! getent passwd cutroom')
      },
    )
  } finally {
    await machine.stop()
  }
}

async function checkSandbox(steps: Steps, machine: Machine): Promise<void> {
  const verified = await machine.sh('systemd-analyze verify /lib/systemd/system/cutroom.service')
  must(verified.code === 0 && !verified.stderr.includes('cutroom.service'), verified.stderr)
  const pid = await good(machine, 'systemctl show -p MainPID --value cutroom')
  const status = await good(machine, `cat /proc/${pid}/status`)
  const value = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
  must(value('Uid').split(/\s+/)[0] === (await good(machine, 'id -u cutroom')), `it runs as ${value('Uid')}`)
  must(
    value('NoNewPrivs') === '1' && value('Seccomp') === '2' && Number(`0x${value('CapBnd')}`) === 0,
    status,
  )
  // What it sees, by way of its own root.
  const root = `/proc/${pid}/root`
  for (const file of ['usr/lib/cutroom/x', 'etc/x']) {
    const { stderr } = await machine.sh(`touch ${root}/${file}`)
    must(stderr.includes('Read-only file system'), `it could write ${file}: ${stderr}`)
  }
  await good(machine, 'touch /home/secret /root/secret && test -e /home/secret')
  must((await machine.sh(`ls -A ${root}/home ${root}/root | grep secret`)).stdout === '', 'it sees homes')
  const received = await good(
    machine,
    'systemd-analyze security cutroom.service --no-pager --threshold=30 | tail -1',
  )
  steps.figure('systemd-analyze security', received.replace(/^\W*|\W*$/g, ''))
}
