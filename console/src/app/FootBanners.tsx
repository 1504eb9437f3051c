import { UnlockedBanner } from '../features/approval/exported/UnlockedBanner.tsx';
import { ImportBanner } from './ImportBanner.tsx';

/** Banners that inform; below the page, so that nothing moves when they come and go. */
export const FootBanners = () => (
  <div role="status">
    <ImportBanner />
    <UnlockedBanner />
  </div>
);
