/** The rooms of the studio: a new one is a page and one entry here. The first is home. */
import { CalendarClock, ChartColumn, Clapperboard, House, Settings, Workflow } from '@lucide/svelte'
import type { Component } from 'svelte'
import { lazyComponent, type LazyComponent } from './ui/lazy-component.svelte.ts'

export interface Room {
  /** First word of its address; empty: home. */
  readonly name: string
  readonly label: string
  readonly icon: Component
  /** Fetched when it is first shown. */
  readonly page: LazyComponent<{ id: string | null }>
}

export const ROOMS: readonly Room[] = [
  { name: '', label: 'Home', icon: House, page: lazyComponent(() => import('./pages/Home.svelte')) },
  {
    name: 'clips',
    label: 'Clips',
    icon: Clapperboard,
    page: lazyComponent(() => import('./pages/Clips.svelte')),
  },
  {
    name: 'workflows',
    label: 'Workflows',
    icon: Workflow,
    page: lazyComponent(() => import('./pages/Workflows.svelte')),
  },
  {
    name: 'publish',
    label: 'Publish',
    icon: CalendarClock,
    page: lazyComponent(() => import('./pages/Publish.svelte')),
  },
  {
    name: 'analytics',
    label: 'Analytics',
    icon: ChartColumn,
    page: lazyComponent(() => import('./pages/Analytics.svelte')),
  },
  {
    name: 'settings',
    label: 'Settings',
    icon: Settings,
    page: lazyComponent(() => import('./pages/Settings.svelte')),
  },
]
