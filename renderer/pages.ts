/** The pages of the studio: a new one is a component and one entry here. The first is home. */
import { CalendarClock, ChartColumn, Clapperboard, House, Settings, Workflow } from '@lucide/svelte'
import type { Component } from 'svelte'
import { pages as messages } from './messages/shell.ts'
import { lazyComponent, type LazyComponent } from './ui/lazy-component.svelte.ts'

interface StudioPage {
  /** First word of its address; empty: home. */
  readonly name: string
  readonly label: string
  readonly icon: Component
  /** Fetched when it is first shown. */
  readonly component: LazyComponent<{ id: string | null }>
}

export const PAGES: readonly StudioPage[] = [
  {
    name: '',
    label: messages.home,
    icon: House,
    component: lazyComponent(() => import('./pages/Home.svelte')),
  },
  {
    name: 'clips',
    label: messages.clips,
    icon: Clapperboard,
    component: lazyComponent(() => import('./pages/Clips.svelte')),
  },
  {
    name: 'workflows',
    label: messages.workflows,
    icon: Workflow,
    component: lazyComponent(() => import('./pages/Workflows.svelte')),
  },
  {
    name: 'publish',
    label: messages.publish,
    icon: CalendarClock,
    component: lazyComponent(() => import('./pages/Publish.svelte')),
  },
  {
    name: 'analytics',
    label: messages.analytics,
    icon: ChartColumn,
    component: lazyComponent(() => import('./pages/Analytics.svelte')),
  },
  {
    name: 'settings',
    label: messages.settings,
    icon: Settings,
    component: lazyComponent(() => import('./pages/Settings.svelte')),
  },
]
