/** Metrics of an appliance that has a standby: what is shipped, and who follows. No samples without one. */
import type { Registry } from 'prom-client'
import type { Services } from './domain/services.ts'

/** Answers what measures them, once for each exposition. */
export async function addStandby(
  registry: Registry,
  { charge }: Pick<Services, 'charge'>,
): Promise<() => void> {
  const { Gauge } = await import('prom-client')
  const registers = [registry]
  const epoch = new Gauge({
    name: 'cutroom_standby_epoch',
    help: 'Which time of being in charge this is; none: no standby',
    registers,
  })
  const lag = new Gauge({
    name: 'cutroom_standby_lag_seconds',
    help: 'How long the oldest change waits to be shipped',
    registers,
  })
  const shipped = new Gauge({
    name: 'cutroom_standby_shipped_bytes',
    help: 'Shipped since the start',
    registers,
  })
  const followers = new Gauge({
    name: 'cutroom_standby_followers',
    help: 'Standbys that are there, by whether their key opens what is sealed here',
    labelNames: ['key'],
    registers,
  })
  for (const gauge of [epoch, lag, shipped, followers]) gauge.reset()
  return () => {
    if (charge === undefined) return
    const facts = charge.facts()
    epoch.set(facts.epoch)
    lag.set(facts.lagMs / 1000)
    shipped.set(facts.bytes)
    const fitting = facts.followers.filter(({ keyFits }) => keyFits).length
    followers.set({ key: 'fits' }, fitting)
    followers.set({ key: 'differs' }, facts.followers.length - fitting)
  }
}
