//! Nothing in a stranger's folder leads out of it.

use files::inside;
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn links_lead_nowhere() {
    let root = tempfile::tempdir().unwrap();
    let (folder, elsewhere) = (root.path().join("campaign"), root.path().join("elsewhere"));
    for made in [&folder, &elsewhere] {
        fs::create_dir(made).unwrap();
    }
    let victim = elsewhere.join("victim");
    fs::write(&victim, "mine").unwrap();
    symlink(&victim, folder.join("report.html")).unwrap();
    symlink(&victim, folder.join(".lock")).unwrap();
    symlink(&elsewhere, folder.join("issues")).unwrap();
    symlink("loop", folder.join("loop")).unwrap();
    inside::write(&folder, "report.html", b"page").unwrap();
    assert_eq!(fs::read_to_string(folder.join("report.html")).unwrap(), "page", "the link itself is replaced");
    assert!(!folder.join("report.html").is_symlink());
    for refused in [
        inside::open(&folder, ".lock").map(drop),
        inside::open(&folder, "issues/new").map(drop),
        inside::write(&folder, "issues/victim", b"x"),
        inside::write(&folder, "issues/../report.html", b"x"),
        inside::write(&folder, "../elsewhere/victim", b"x"),
        inside::write(&folder, victim.to_str().unwrap(), b"x"),
        inside::write(&folder, "loop/x", b"x"),
        inside::write(&folder, "", b"x"),
        inside::remove(&folder, "issues/victim"),
        inside::make_folder(&folder, "issues"),
        inside::make_folder(&folder, "issues/new"),
    ] {
        assert!(refused.is_err());
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
    inside::remove(&folder, ".lock").unwrap();
    assert!(victim.exists() && !folder.join(".lock").is_symlink(), "the link is removed, and not what it leads to");
    assert!(!inside::is_without_links(&folder, "issues/x") && inside::is_without_links(&folder, "report.html"));
    assert!(fs::read_dir(&folder).unwrap().flatten().all(|e| !e.file_name().to_string_lossy().ends_with(".part")));
}

#[test]
fn a_folder_that_the_user_names_may_be_a_link() {
    let root = tempfile::tempdir().unwrap();
    let (folder, link) = (root.path().join("campaign"), root.path().join("link"));
    fs::create_dir(&folder).unwrap();
    symlink(&folder, &link).unwrap();
    inside::make_folder(&link, "issues").unwrap();
    inside::make_folder(&link, "issues").unwrap();
    inside::write(&link, "issues/001.md", b"one").unwrap();
    inside::write(&link, "issues/001.md", b"two").unwrap();
    assert_eq!(fs::read_to_string(folder.join("issues/001.md")).unwrap(), "two");
}
