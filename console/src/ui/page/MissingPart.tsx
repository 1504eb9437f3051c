import './missing-part.css';
import { Button } from 'antd';

/**
 * In place of a part whose script could not be loaded. Browsers do not retry a failed module, so only a reload helps. It
 * has a fixed place in the window, because the missing part may have been a dialog.
 */
export const MissingPart = () => (
  <div className="ht-page-missing" role="alert">
    有内容未能加载：网络中断，或已发布新版本。
    <Button type="link" size="small" onClick={() => window.location.reload()}>
      刷新
    </Button>
  </div>
);
