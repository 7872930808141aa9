(* The words of the core: unsigned integers of 128 bits, as C computes with them, and what is true
   of shifts. *)
Require Import ZArith Lia Psatz Bool.
Open Scope Z_scope.

Definition wrap x := x mod 2 ^ 128.
Definition shl x n := wrap (x * 2 ^ n).
Definition shr x n := x / 2 ^ n.
Definition add x y := wrap (x + y).
Definition sub x y := wrap (x - y).
Definition mul x y := wrap (x * y).
(** (i128)x *)
Definition signed x := if x <? 2 ^ 127 then x else x - 2 ^ 128.
(** (uint64_t)x *)
Definition half x := x mod 2 ^ 64.
(** The number of bits of x; rs_bits() *)
Definition bits x := if x =? 0 then 0 else Z.log2 x + 1.

Definition word x := 0 <= x < 2 ^ 128.

Lemma wrap_small x : word x -> wrap x = x.
Proof. apply Z.mod_small. Qed.
Lemma word_wrap x : word (wrap x).
Proof. apply Z.mod_pos_bound; lia. Qed.
Lemma pow_pos n : 0 <= n -> 0 < 2 ^ n.
Proof. intros; apply Z.pow_pos_nonneg; lia. Qed.
Lemma pow_le m n : 0 <= m <= n -> 2 ^ m <= 2 ^ n.
Proof. intros; apply Z.pow_le_mono_r; lia. Qed.

(** What a shift to the right drops *)
Lemma shr_spec x n : 0 <= n -> exists r, x = shr x n * 2 ^ n + r /\ 0 <= r < 2 ^ n.
Proof.
  intros; exists (x mod 2 ^ n); pose proof (pow_pos n H); unfold shr.
  pose proof (Z.div_mod x (2 ^ n)); pose proof (Z.mod_pos_bound x (2 ^ n)); lia.
Qed.
Lemma shr_nonneg x n : 0 <= n -> 0 <= x -> 0 <= shr x n.
Proof. intros; apply Z.div_pos; [assumption|apply pow_pos; assumption]. Qed.
Lemma shr_le x n : 0 <= n -> 0 <= x -> shr x n <= x.
Proof. intros; pose proof (pow_pos n H); destruct (shr_spec x n H) as (r & E & R);
  pose proof (shr_nonneg x n H H0); nia. Qed.
Lemma shr_lt x m n : 0 <= n <= m -> 0 <= x < 2 ^ m -> shr x n < 2 ^ (m - n).
Proof.
  intros; apply Z.div_lt_upper_bound; [apply pow_pos; lia|]; rewrite <- Z.pow_add_r by lia.
  replace (n + (m - n)) with m by lia; lia.
Qed.
Lemma shl_lt x m n : 0 <= n -> 0 <= x < 2 ^ m -> 0 <= m -> m + n <= 128 -> shl x n = x * 2 ^ n.
Proof.
  intros N [X Y] M L; apply wrap_small; pose proof (pow_pos n N).
  assert (x * 2 ^ n < 2 ^ (m + n)) by (rewrite Z.pow_add_r by lia; nia).
  pose proof (pow_le (m + n) 128); unfold word; nia.
Qed.

Lemma bits_spec x : 0 < x -> 1 <= bits x /\ 2 ^ (bits x - 1) <= x < 2 ^ bits x.
Proof.
  intros H; unfold bits; destruct (Z.eqb_spec x 0); [lia|]; pose proof (Z.log2_spec x H);
    pose proof (Z.log2_nonneg x).
  replace (Z.log2 x + 1 - 1) with (Z.log2 x) by lia; rewrite Z.add_1_r; lia.
Qed.
Lemma bits_nonneg x : 0 <= bits x.
Proof. unfold bits; destruct (x =? 0); [lia|]; pose proof (Z.log2_nonneg x); lia. Qed.
Lemma bits_lt x : 0 <= x -> x < 2 ^ bits x.
Proof. intros; destruct (Z.eq_dec x 0) as [->|]; [reflexivity|]; apply bits_spec; lia. Qed.
Lemma bits_le x n : 0 <= n -> 0 <= x < 2 ^ n -> bits x <= n.
Proof.
  intros N H; destruct (Z.eq_dec x 0) as [->|]; [unfold bits; cbn; lia|];
    destruct (bits_spec x) as [B [L _]]; [lia|].
  destruct (Z.le_gt_cases (bits x) n); [assumption|]; pose proof (pow_le n (bits x - 1)); lia.
Qed.
Lemma bits_lor x y : 0 <= x -> 0 <= y -> bits (Z.lor x y) = Z.max (bits x) (bits y).
Proof.
  intros X Y; destruct (Z.eq_dec x 0) as [->|A]; [rewrite Z.lor_0_l; pose proof (bits_nonneg y);
    cbn; lia|].
  destruct (Z.eq_dec y 0) as [->|B]; [rewrite Z.lor_0_r; pose proof (bits_nonneg x); cbn; lia|].
  unfold bits; rewrite Z.log2_lor by assumption.
  destruct (Z.eqb_spec x 0), (Z.eqb_spec y 0), (Z.eqb_spec (Z.lor x y) 0) as [E|];
    try contradiction; [|lia].
  apply Z.lor_eq_0_iff in E; lia.
Qed.
Lemma lor_nonneg x y : 0 <= x -> 0 <= y -> 0 <= Z.lor x y.
Proof. intros; apply Z.lor_nonneg; split; assumption. Qed.
Lemma lor_0 x y : Z.lor x y = 0 <-> x = 0 /\ y = 0.
Proof. apply Z.lor_eq_0_iff. Qed.
Lemma bits_0 x : 0 <= x -> bits x = 0 -> x = 0.
Proof. intros H E; destruct (Z.eq_dec x 0); [assumption|]; pose proof (bits_spec x); lia. Qed.
Lemma bits_lt_pow x n : 0 <= x -> bits x <= n -> x < 2 ^ n.
Proof. intros H B; pose proof (bits_lt x H); pose proof (bits_nonneg x);
  pose proof (pow_le (bits x) n); lia. Qed.
(** x >> n == 0 *)
Lemma shr_0 x n : 0 <= n -> 0 <= x -> (shr x n = 0 <-> x < 2 ^ n).
Proof.
  intros N X; pose proof (pow_pos n N); destruct (shr_spec x n N) as (r & E & R);
    pose proof (shr_nonneg x n N X).
  split; intros; nia.
Qed.
Lemma lor_lt x y n : 0 <= n -> 0 <= x -> 0 <= y -> (Z.lor x y < 2 ^ n <-> x < 2 ^ n /\ y < 2 ^ n).
Proof.
  intros N X Y; pose proof (lor_nonneg x y X Y); split.
  - intros L; assert (bits (Z.lor x y) <= n) as B by (apply bits_le; lia);
      rewrite bits_lor in B by assumption; split; apply bits_lt_pow; lia.
  - intros []; apply bits_lt_pow; [assumption|]; rewrite bits_lor by assumption.
    pose proof (bits_le x n); pose proof (bits_le y n); lia.
Qed.
(** Bits that do not overlap: | is + *)
Lemma lor_add a b n : 0 <= n -> 0 <= b < 2 ^ n -> Z.lor (a * 2 ^ n) b = a * 2 ^ n + b.
Proof.
  intros N [B L]; symmetry; rewrite <- Z.lxor_lor, Z.add_nocarry_lxor; [reflexivity| |];
  apply Z.bits_inj'; intros i I; rewrite Z.land_spec, Z.bits_0;
    rewrite <- Z.shiftl_mul_pow2 by assumption;
  destruct (Z.lt_ge_cases i n);
    [rewrite Z.shiftl_spec_low by assumption; reflexivity|rewrite <- (Z.mod_small b (2 ^ n)) by lia;
      rewrite Z.mod_pow2_bits_high by lia; apply andb_false_r
    |rewrite Z.shiftl_spec_low by assumption; reflexivity|rewrite <- (Z.mod_small b (2 ^ n)) by lia;
      rewrite Z.mod_pow2_bits_high by lia; apply andb_false_r].
Qed.

(** The signed reading of what is computed modulo 2^128 is the number, where that is below 2^127. *)
Lemma signed_wrap x : - 2 ^ 127 <= x < 2 ^ 127 -> signed (wrap x) = x.
Proof.
  intros H; unfold signed, wrap; destruct (Z.lt_ge_cases x 0).
  - replace (x mod 2 ^ 128) with (x + 2 ^ 128); [destruct (Z.ltb_spec (x + 2 ^ 128) (2 ^ 127));
    lia|].
    apply Z.mod_unique with (-1); lia.
  - rewrite Z.mod_small by lia; destruct (Z.ltb_spec x (2 ^ 127)); lia.
Qed.
