import './banners.css';
import { UnlockedBanner } from '../domains/desk/approval/exported/UnlockedBanner.tsx';
import { ImportBanner } from './ImportBanner.tsx';

/** Banners that inform; below the page, so that nothing moves when they come and go. */
export const FootBanners = () => (
  <div className="ht-app-foot-banners" role="status">
    <ImportBanner />
    <UnlockedBanner />
  </div>
);
