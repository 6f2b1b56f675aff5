; Made of scanner.c by `python -m native`; SHA-256 of that file:
; 6aaa0e4830dae44dd431ec82f1a6e944788e5a6dc72e8229d10fffbb6ce09045

%struct.level = type { i64, i64, i64, i64, i64, i64, i64, i8, i8, i8, i8 }
%struct.node = type { ptr, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @scan_records(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = alloca i64, align 8
  %4 = alloca [4 x i8], align 1
  %5 = alloca i64, align 8
  %6 = alloca [4 x i8], align 1
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = getelementptr inbounds i8, ptr %0, i64 104
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %16, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds i8, ptr %0, i64 112
  %15 = load ptr, ptr %14, align 8
  store i64 0, ptr %15, align 8
  br label %16

16:                                               ; preds = %13, %1
  %17 = getelementptr inbounds i8, ptr %0, i64 40
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %33

20:                                               ; preds = %16
  %21 = getelementptr inbounds i8, ptr %0, i64 56
  %22 = getelementptr inbounds i8, ptr %0, i64 48
  %23 = getelementptr inbounds i8, ptr %0, i64 8
  %24 = getelementptr inbounds i8, ptr %0, i64 16
  %25 = getelementptr inbounds i8, ptr %0, i64 72
  %26 = getelementptr inbounds i8, ptr %0, i64 80
  %27 = getelementptr inbounds i8, ptr %0, i64 64
  %28 = getelementptr inbounds i8, ptr %0, i64 32
  %29 = getelementptr inbounds i8, ptr %0, i64 24
  %30 = getelementptr inbounds i8, ptr %0, i64 96
  %31 = getelementptr inbounds i8, ptr %0, i64 88
  %32 = getelementptr inbounds i8, ptr %0, i64 112
  br label %34

33:                                               ; preds = %829, %16
  ret void

34:                                               ; preds = %20, %829
  %35 = phi i64 [ 0, %20 ], [ %830, %829 ]
  %36 = phi i64 [ 0, %20 ], [ %40, %829 ]
  %37 = load ptr, ptr %21, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 %36
  %39 = load i64, ptr %38, align 8
  %40 = add i64 %36, 1
  %41 = getelementptr inbounds i64, ptr %37, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = add i64 %42, -1
  %44 = load ptr, ptr %22, align 8
  %45 = load ptr, ptr %23, align 8
  %46 = icmp slt i64 %39, %43
  br i1 %46, label %47, label %54

47:                                               ; preds = %34, %51
  %48 = phi i64 [ %52, %51 ], [ %39, %34 ]
  %49 = getelementptr inbounds i8, ptr %44, i64 %48
  %50 = load i8, ptr %49, align 1
  switch i8 %50, label %54 [
    i8 32, label %51
    i8 13, label %51
    i8 9, label %51
    i8 10, label %51
  ]

51:                                               ; preds = %47, %47, %47, %47
  %52 = add i64 %48, 1
  %53 = icmp eq i64 %52, %43
  br i1 %53, label %808, label %47

54:                                               ; preds = %47, %34
  %55 = phi i64 [ %39, %34 ], [ %48, %47 ]
  %56 = icmp slt i64 %55, %43
  br i1 %56, label %57, label %808

57:                                               ; preds = %54
  %58 = getelementptr inbounds i8, ptr %44, i64 %55
  %59 = load i8, ptr %58, align 1
  %60 = icmp eq i8 %59, 123
  br i1 %60, label %61, label %808

61:                                               ; preds = %57, %801
  %62 = phi i8 [ %807, %801 ], [ 123, %57 ]
  %63 = phi i64 [ %805, %801 ], [ 0, %57 ]
  %64 = phi i64 [ %804, %801 ], [ -1, %57 ]
  %65 = phi i64 [ %803, %801 ], [ %35, %57 ]
  %66 = phi i64 [ %802, %801 ], [ %55, %57 ]
  %67 = getelementptr inbounds i8, ptr %44, i64 %66
  %68 = icmp eq i8 %62, 123
  switch i8 %62, label %139 [
    i8 123, label %69
    i8 91, label %69
  ]

69:                                               ; preds = %61, %61
  %70 = add i64 %64, 1
  %71 = load i64, ptr %24, align 8
  %72 = icmp slt i64 %70, %71
  br i1 %72, label %73, label %808

73:                                               ; preds = %69
  %74 = getelementptr inbounds %struct.level, ptr %45, i64 %70
  %75 = zext i1 %68 to i8
  %76 = getelementptr inbounds i8, ptr %74, i64 56
  store i8 %75, ptr %76, align 8
  %77 = getelementptr inbounds i8, ptr %74, i64 58
  store i8 0, ptr %77, align 2
  %78 = getelementptr inbounds i8, ptr %74, i64 57
  store i8 0, ptr %78, align 1
  store i64 %63, ptr %74, align 8
  %79 = icmp slt i64 %63, 0
  br i1 %79, label %102, label %80

80:                                               ; preds = %73
  %81 = load ptr, ptr %0, align 8
  %82 = getelementptr inbounds %struct.node, ptr %81, i64 %63
  %83 = getelementptr inbounds i8, ptr %82, i64 16
  %84 = load i64, ptr %83, align 8
  %85 = add i64 %84, -1
  %86 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 %85, ptr %86, align 8
  %87 = getelementptr inbounds i8, ptr %74, i64 48
  store i64 -1, ptr %87, align 8
  %88 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %88, align 8
  %89 = load ptr, ptr %0, align 8
  %90 = getelementptr inbounds %struct.node, ptr %89, i64 %63
  %91 = getelementptr inbounds i8, ptr %90, i64 32
  %92 = load i64, ptr %91, align 8
  %93 = icmp sgt i64 %92, -1
  br i1 %93, label %106, label %94

94:                                               ; preds = %80
  %95 = icmp eq i64 %70, 0
  br i1 %95, label %106, label %96

96:                                               ; preds = %94
  %97 = getelementptr inbounds %struct.level, ptr %45, i64 %64
  %98 = getelementptr inbounds i8, ptr %97, i64 59
  %99 = load i8, ptr %98, align 1
  %100 = icmp ne i8 %99, 0
  %101 = zext i1 %100 to i8
  br label %106

102:                                              ; preds = %73
  %103 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 -1, ptr %103, align 8
  %104 = getelementptr inbounds i8, ptr %74, i64 48
  store i64 -1, ptr %104, align 8
  %105 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %105, align 8
  br label %106

106:                                              ; preds = %102, %96, %94, %80
  %107 = phi i8 [ 0, %102 ], [ 1, %80 ], [ 0, %94 ], [ %101, %96 ]
  %108 = getelementptr inbounds i8, ptr %74, i64 59
  store i8 %107, ptr %108, align 1
  %109 = add i64 %66, 1
  %110 = icmp slt i64 %109, %43
  br i1 %110, label %111, label %118

111:                                              ; preds = %106, %115
  %112 = phi i64 [ %116, %115 ], [ %109, %106 ]
  %113 = getelementptr inbounds i8, ptr %44, i64 %112
  %114 = load i8, ptr %113, align 1
  switch i8 %114, label %118 [
    i8 32, label %115
    i8 13, label %115
    i8 9, label %115
    i8 10, label %115
  ]

115:                                              ; preds = %111, %111, %111, %111
  %116 = add i64 %112, 1
  %117 = icmp eq i64 %116, %43
  br i1 %117, label %808, label %111

118:                                              ; preds = %111, %106
  %119 = phi i64 [ %109, %106 ], [ %112, %111 ]
  %120 = icmp slt i64 %119, %43
  br i1 %120, label %121, label %808

121:                                              ; preds = %118
  %122 = getelementptr inbounds i8, ptr %44, i64 %119
  %123 = load i8, ptr %122, align 1
  %124 = zext i8 %123 to i32
  %125 = select i1 %68, i32 125, i32 93
  %126 = icmp eq i32 %125, %124
  br i1 %126, label %543, label %127

127:                                              ; preds = %121
  %128 = or i1 %68, %79
  br i1 %128, label %138, label %129

129:                                              ; preds = %127
  %130 = load ptr, ptr %0, align 8
  %131 = getelementptr inbounds %struct.node, ptr %130, i64 %63
  %132 = getelementptr inbounds i8, ptr %131, i64 40
  %133 = load i64, ptr %132, align 8
  %134 = icmp eq i64 %133, 2
  br i1 %134, label %135, label %801

135:                                              ; preds = %129
  %136 = getelementptr inbounds i8, ptr %131, i64 16
  %137 = load i64, ptr %136, align 8
  br label %801

138:                                              ; preds = %127
  br i1 %68, label %563, label %801

139:                                              ; preds = %61
  switch i8 %62, label %188 [
    i8 34, label %140
    i8 116, label %143
    i8 102, label %158
    i8 110, label %173
  ]

140:                                              ; preds = %139
  %141 = add i64 %66, 1
  %142 = call fastcc i64 @end_of_string(ptr %44, i64 %141, i64 %43, ptr %8)
  br label %273

143:                                              ; preds = %139
  %144 = sub i64 %43, %66
  %145 = icmp slt i64 %144, 4
  br i1 %145, label %272, label %149

146:                                              ; preds = %149
  %147 = add i64 %150, 1
  %148 = icmp eq i64 %147, 4
  br i1 %148, label %156, label %149

149:                                              ; preds = %143, %146
  %150 = phi i64 [ %147, %146 ], [ 0, %143 ]
  %151 = getelementptr i8, ptr %67, i64 %150
  %152 = load i8, ptr %151, align 1
  %153 = getelementptr inbounds i8, ptr @.str, i64 %150
  %154 = load i8, ptr %153, align 1
  %155 = icmp eq i8 %152, %154
  br i1 %155, label %146, label %272

156:                                              ; preds = %146
  %157 = add i64 %66, 4
  br label %273

158:                                              ; preds = %139
  %159 = sub i64 %43, %66
  %160 = icmp slt i64 %159, 5
  br i1 %160, label %272, label %164

161:                                              ; preds = %164
  %162 = add i64 %165, 1
  %163 = icmp eq i64 %162, 5
  br i1 %163, label %171, label %164

164:                                              ; preds = %158, %161
  %165 = phi i64 [ %162, %161 ], [ 0, %158 ]
  %166 = getelementptr i8, ptr %67, i64 %165
  %167 = load i8, ptr %166, align 1
  %168 = getelementptr inbounds i8, ptr @.str.1, i64 %165
  %169 = load i8, ptr %168, align 1
  %170 = icmp eq i8 %167, %169
  br i1 %170, label %161, label %272

171:                                              ; preds = %161
  %172 = add i64 %66, 5
  br label %273

173:                                              ; preds = %139
  %174 = sub i64 %43, %66
  %175 = icmp slt i64 %174, 4
  br i1 %175, label %272, label %179

176:                                              ; preds = %179
  %177 = add i64 %180, 1
  %178 = icmp eq i64 %177, 4
  br i1 %178, label %186, label %179

179:                                              ; preds = %173, %176
  %180 = phi i64 [ %177, %176 ], [ 0, %173 ]
  %181 = getelementptr i8, ptr %67, i64 %180
  %182 = load i8, ptr %181, align 1
  %183 = getelementptr inbounds i8, ptr @.str.2, i64 %180
  %184 = load i8, ptr %183, align 1
  %185 = icmp eq i8 %182, %184
  br i1 %185, label %176, label %272

186:                                              ; preds = %176
  %187 = add i64 %66, 4
  br label %273

188:                                              ; preds = %139
  %189 = icmp eq i8 %62, 45
  %190 = zext i1 %189 to i64
  %191 = add i64 %66, %190
  %192 = icmp slt i64 %191, %43
  br i1 %192, label %193, label %272

193:                                              ; preds = %188
  %194 = getelementptr inbounds i8, ptr %44, i64 %191
  %195 = load i8, ptr %194, align 1
  %196 = icmp eq i8 %195, 48
  br i1 %196, label %197, label %199

197:                                              ; preds = %193
  %198 = add i64 %191, 1
  br label %214

199:                                              ; preds = %193
  %200 = add i8 %195, -58
  %201 = icmp ult i8 %200, -10
  br i1 %201, label %272, label %202

202:                                              ; preds = %199, %208
  %203 = phi i64 [ %209, %208 ], [ %191, %199 ]
  %204 = getelementptr inbounds i8, ptr %44, i64 %203
  %205 = load i8, ptr %204, align 1
  %206 = add i8 %205, -58
  %207 = icmp ult i8 %206, -10
  br i1 %207, label %211, label %208

208:                                              ; preds = %202
  %209 = add i64 %203, 1
  %210 = icmp eq i64 %209, %43
  br i1 %210, label %211, label %202

211:                                              ; preds = %208, %202
  %212 = phi i64 [ %203, %202 ], [ %43, %208 ]
  %213 = icmp slt i64 %212, 0
  br i1 %213, label %272, label %214

214:                                              ; preds = %211, %197
  %215 = phi i64 [ %198, %197 ], [ %212, %211 ]
  %216 = icmp slt i64 %215, %43
  br i1 %216, label %217, label %241

217:                                              ; preds = %214
  %218 = getelementptr inbounds i8, ptr %44, i64 %215
  %219 = load i8, ptr %218, align 1
  %220 = icmp eq i8 %219, 46
  br i1 %220, label %221, label %241

221:                                              ; preds = %217
  %222 = add i64 %215, 1
  %223 = icmp slt i64 %222, %43
  br i1 %223, label %224, label %272

224:                                              ; preds = %221
  %225 = getelementptr inbounds i8, ptr %44, i64 %222
  %226 = load i8, ptr %225, align 1
  %227 = add i8 %226, -58
  %228 = icmp ult i8 %227, -10
  br i1 %228, label %272, label %229

229:                                              ; preds = %224, %235
  %230 = phi i64 [ %236, %235 ], [ %222, %224 ]
  %231 = getelementptr inbounds i8, ptr %44, i64 %230
  %232 = load i8, ptr %231, align 1
  %233 = add i8 %232, -58
  %234 = icmp ult i8 %233, -10
  br i1 %234, label %238, label %235

235:                                              ; preds = %229
  %236 = add i64 %230, 1
  %237 = icmp eq i64 %236, %43
  br i1 %237, label %238, label %229

238:                                              ; preds = %235, %229
  %239 = phi i64 [ %43, %235 ], [ %230, %229 ]
  %240 = icmp slt i64 %239, 0
  br i1 %240, label %272, label %241

241:                                              ; preds = %238, %217, %214
  %242 = phi i64 [ %239, %238 ], [ %215, %217 ], [ %215, %214 ]
  %243 = icmp slt i64 %242, %43
  br i1 %243, label %244, label %273

244:                                              ; preds = %241
  %245 = getelementptr inbounds i8, ptr %44, i64 %242
  %246 = load i8, ptr %245, align 1
  switch i8 %246, label %273 [
    i8 101, label %247
    i8 69, label %247
  ]

247:                                              ; preds = %244, %244
  %248 = add i64 %242, 1
  %249 = icmp slt i64 %248, %43
  br i1 %249, label %250, label %255

250:                                              ; preds = %247
  %251 = getelementptr inbounds i8, ptr %44, i64 %248
  %252 = load i8, ptr %251, align 1
  switch i8 %252, label %255 [
    i8 43, label %253
    i8 45, label %253
  ]

253:                                              ; preds = %250, %250
  %254 = add i64 %242, 2
  br label %255

255:                                              ; preds = %253, %250, %247
  %256 = phi i64 [ %254, %253 ], [ %248, %250 ], [ %248, %247 ]
  %257 = icmp slt i64 %256, %43
  br i1 %257, label %258, label %272

258:                                              ; preds = %255
  %259 = getelementptr inbounds i8, ptr %44, i64 %256
  %260 = load i8, ptr %259, align 1
  %261 = add i8 %260, -58
  %262 = icmp ult i8 %261, -10
  br i1 %262, label %272, label %263

263:                                              ; preds = %258, %269
  %264 = phi i64 [ %270, %269 ], [ %256, %258 ]
  %265 = getelementptr inbounds i8, ptr %44, i64 %264
  %266 = load i8, ptr %265, align 1
  %267 = add i8 %266, -58
  %268 = icmp ult i8 %267, -10
  br i1 %268, label %273, label %269

269:                                              ; preds = %263
  %270 = add i64 %264, 1
  %271 = icmp eq i64 %270, %43
  br i1 %271, label %273, label %263

272:                                              ; preds = %258, %255, %238, %224, %221, %211, %199, %188, %173, %158, %143, %179, %164, %149
  br label %808

273:                                              ; preds = %269, %263, %244, %241, %186, %171, %156, %140
  %274 = phi i64 [ %242, %241 ], [ %142, %140 ], [ %172, %171 ], [ %187, %186 ], [ %242, %244 ], [ %157, %156 ], [ %43, %269 ], [ %264, %263 ]
  %275 = icmp slt i64 %274, 0
  br i1 %275, label %808, label %276

276:                                              ; preds = %543, %273
  %277 = phi i64 [ %549, %543 ], [ %64, %273 ]
  %278 = phi i64 [ %547, %543 ], [ %65, %273 ]
  %279 = phi i64 [ %548, %543 ], [ %274, %273 ]
  %280 = getelementptr inbounds %struct.level, ptr %45, i64 %277
  %281 = getelementptr inbounds i8, ptr %280, i64 56
  %282 = load i8, ptr %281, align 8
  %283 = icmp eq i8 %282, 0
  br i1 %283, label %444, label %284

284:                                              ; preds = %276
  %285 = getelementptr inbounds i8, ptr %280, i64 32
  %286 = load i64, ptr %285, align 8
  %287 = icmp sgt i64 %286, -1
  br i1 %287, label %288, label %328

288:                                              ; preds = %284
  %289 = load ptr, ptr %0, align 8
  %290 = getelementptr inbounds %struct.node, ptr %289, i64 %286
  %291 = getelementptr inbounds i8, ptr %290, i64 32
  %292 = load i64, ptr %291, align 8
  %293 = icmp sgt i64 %292, -1
  br i1 %293, label %294, label %342

294:                                              ; preds = %288
  %295 = load i64, ptr %17, align 8
  %296 = mul i64 %295, %292
  %297 = add i64 %296, %36
  %298 = load ptr, ptr %25, align 8
  %299 = getelementptr inbounds i64, ptr %298, i64 %297
  %300 = load i64, ptr %299, align 8
  %301 = icmp slt i64 %300, 0
  br i1 %301, label %305, label %302

302:                                              ; preds = %294
  %303 = load ptr, ptr %30, align 8
  %304 = getelementptr inbounds i64, ptr %303, i64 %36
  store i64 %292, ptr %304, align 8
  br label %808

305:                                              ; preds = %294
  %306 = getelementptr inbounds i8, ptr %280, i64 24
  %307 = load i64, ptr %306, align 8
  store i64 %307, ptr %299, align 8
  %308 = load ptr, ptr %26, align 8
  %309 = getelementptr inbounds i64, ptr %308, i64 %297
  store i64 %279, ptr %309, align 8
  %310 = load ptr, ptr %27, align 8
  %311 = icmp eq ptr %310, null
  br i1 %311, label %342, label %312

312:                                              ; preds = %305
  %313 = getelementptr inbounds i8, ptr %290, i64 40
  %314 = load i64, ptr %313, align 8
  %315 = icmp eq i64 %314, 4
  br i1 %315, label %316, label %342

316:                                              ; preds = %312
  %317 = load i64, ptr %306, align 8
  %318 = getelementptr inbounds i8, ptr %310, i64 %317
  store i8 48, ptr %318, align 1
  %319 = load i64, ptr %306, align 8
  %320 = add i64 %319, 1
  %321 = icmp slt i64 %320, %279
  br i1 %321, label %322, label %342

322:                                              ; preds = %316, %322
  %323 = phi i64 [ %326, %322 ], [ %320, %316 ]
  %324 = load ptr, ptr %27, align 8
  %325 = getelementptr inbounds i8, ptr %324, i64 %323
  store i8 32, ptr %325, align 1
  %326 = add i64 %323, 1
  %327 = icmp eq i64 %326, %279
  br i1 %327, label %342, label %322

328:                                              ; preds = %284
  %329 = load i64, ptr %280, align 8
  %330 = icmp sgt i64 %329, -1
  br i1 %330, label %331, label %440

331:                                              ; preds = %328
  %332 = load ptr, ptr %0, align 8
  %333 = getelementptr inbounds %struct.node, ptr %332, i64 %329
  %334 = getelementptr inbounds i8, ptr %333, i64 40
  %335 = load i64, ptr %334, align 8
  %336 = icmp eq i64 %335, 1
  br i1 %336, label %337, label %440

337:                                              ; preds = %331
  %338 = getelementptr inbounds i8, ptr %280, i64 59
  %339 = load i8, ptr %338, align 1
  %340 = freeze i8 %339
  %341 = icmp eq i8 %340, 0
  br i1 %341, label %346, label %440

342:                                              ; preds = %322, %316, %312, %305, %288
  %343 = getelementptr inbounds i8, ptr %280, i64 58
  %344 = load i8, ptr %343, align 2
  %345 = icmp eq i8 %344, 0
  br i1 %345, label %440, label %346

346:                                              ; preds = %342, %337
  %347 = load ptr, ptr %10, align 8
  %348 = icmp eq ptr %347, null
  br i1 %348, label %440, label %349

349:                                              ; preds = %346
  %350 = icmp sgt i64 %277, 0
  br i1 %350, label %353, label %377

351:                                              ; preds = %368
  %352 = icmp sgt i64 %369, -1
  br i1 %352, label %374, label %377

353:                                              ; preds = %349, %368
  %354 = phi i64 [ %370, %368 ], [ 0, %349 ]
  %355 = phi i64 [ %369, %368 ], [ -1, %349 ]
  %356 = getelementptr inbounds %struct.level, ptr %45, i64 %354
  %357 = getelementptr inbounds i8, ptr %356, i64 32
  %358 = load i64, ptr %357, align 8
  %359 = icmp sgt i64 %358, -1
  br i1 %359, label %360, label %368

360:                                              ; preds = %353
  %361 = load ptr, ptr %0, align 8
  %362 = getelementptr inbounds %struct.node, ptr %361, i64 %358
  %363 = getelementptr inbounds i8, ptr %362, i64 40
  %364 = load i64, ptr %363, align 8
  %365 = and i64 %364, -2
  %366 = icmp eq i64 %365, 2
  %367 = select i1 %366, i64 %354, i64 %355
  br label %368

368:                                              ; preds = %360, %353
  %369 = phi i64 [ %355, %353 ], [ %367, %360 ]
  %370 = add i64 %354, 1
  %371 = icmp slt i64 %370, %277
  %372 = icmp slt i64 %369, 0
  %373 = select i1 %371, i1 %372, i1 false
  br i1 %373, label %353, label %351

374:                                              ; preds = %351
  %375 = getelementptr inbounds %struct.level, ptr %45, i64 %369
  %376 = getelementptr inbounds i8, ptr %375, i64 58
  store i8 1, ptr %376, align 2
  br label %440

377:                                              ; preds = %351, %349
  %378 = icmp slt i64 %277, 0
  br i1 %378, label %379, label %397

379:                                              ; preds = %436, %377
  %380 = phi i64 [ %278, %377 ], [ %437, %436 ]
  %381 = load ptr, ptr %23, align 8
  %382 = getelementptr inbounds %struct.level, ptr %381, i64 %277
  %383 = getelementptr inbounds i8, ptr %382, i64 24
  %384 = load i64, ptr %383, align 8
  %385 = icmp slt i64 %384, %279
  br i1 %385, label %386, label %440

386:                                              ; preds = %379, %386
  %387 = phi i64 [ %395, %386 ], [ %384, %379 ]
  %388 = phi i64 [ %393, %386 ], [ %380, %379 ]
  %389 = load ptr, ptr %22, align 8
  %390 = getelementptr inbounds i8, ptr %389, i64 %387
  %391 = load i8, ptr %390, align 1
  %392 = load ptr, ptr %10, align 8
  %393 = add i64 %388, 1
  %394 = getelementptr inbounds i8, ptr %392, i64 %388
  store i8 %391, ptr %394, align 1
  %395 = add i64 %387, 1
  %396 = icmp eq i64 %395, %279
  br i1 %396, label %440, label %386

397:                                              ; preds = %377, %436
  %398 = phi i64 [ %437, %436 ], [ %278, %377 ]
  %399 = phi i64 [ %438, %436 ], [ 0, %377 ]
  %400 = load ptr, ptr %23, align 8
  %401 = getelementptr inbounds %struct.level, ptr %400, i64 %399
  %402 = icmp slt i64 %399, %277
  br i1 %402, label %403, label %407

403:                                              ; preds = %397
  %404 = getelementptr inbounds i8, ptr %401, i64 121
  %405 = load i8, ptr %404, align 1
  %406 = icmp eq i8 %405, 0
  br i1 %406, label %407, label %436

407:                                              ; preds = %403, %397
  %408 = getelementptr inbounds i8, ptr %401, i64 57
  %409 = load i8, ptr %408, align 1
  %410 = icmp eq i8 %409, 0
  %411 = select i1 %410, i8 123, i8 44
  %412 = load ptr, ptr %10, align 8
  %413 = add i64 %398, 1
  %414 = getelementptr inbounds i8, ptr %412, i64 %398
  store i8 %411, ptr %414, align 1
  store i8 1, ptr %408, align 1
  %415 = getelementptr inbounds i8, ptr %401, i64 8
  %416 = load i64, ptr %415, align 8
  %417 = getelementptr inbounds i8, ptr %401, i64 16
  %418 = load i64, ptr %417, align 8
  %419 = icmp slt i64 %416, %418
  br i1 %419, label %420, label %431

420:                                              ; preds = %407, %420
  %421 = phi i64 [ %429, %420 ], [ %416, %407 ]
  %422 = phi i64 [ %427, %420 ], [ %413, %407 ]
  %423 = load ptr, ptr %22, align 8
  %424 = getelementptr inbounds i8, ptr %423, i64 %421
  %425 = load i8, ptr %424, align 1
  %426 = load ptr, ptr %10, align 8
  %427 = add i64 %422, 1
  %428 = getelementptr inbounds i8, ptr %426, i64 %422
  store i8 %425, ptr %428, align 1
  %429 = add i64 %421, 1
  %430 = icmp eq i64 %429, %418
  br i1 %430, label %431, label %420

431:                                              ; preds = %420, %407
  %432 = phi i64 [ %413, %407 ], [ %427, %420 ]
  %433 = load ptr, ptr %10, align 8
  %434 = add i64 %432, 1
  %435 = getelementptr inbounds i8, ptr %433, i64 %432
  store i8 58, ptr %435, align 1
  br label %436

436:                                              ; preds = %431, %403
  %437 = phi i64 [ %434, %431 ], [ %398, %403 ]
  %438 = add i64 %399, 1
  %439 = icmp eq i64 %399, %277
  br i1 %439, label %379, label %397

440:                                              ; preds = %386, %379, %374, %346, %342, %337, %331, %328
  %441 = phi i1 [ true, %342 ], [ true, %346 ], [ true, %374 ], [ false, %337 ], [ true, %379 ], [ true, %328 ], [ true, %331 ], [ true, %386 ]
  %442 = phi i64 [ %278, %342 ], [ %278, %346 ], [ %278, %374 ], [ %278, %337 ], [ %380, %379 ], [ %278, %328 ], [ %278, %331 ], [ %393, %386 ]
  %443 = getelementptr inbounds i8, ptr %280, i64 58
  store i8 0, ptr %443, align 2
  br label %444

444:                                              ; preds = %440, %276
  %445 = phi i1 [ %441, %440 ], [ true, %276 ]
  %446 = phi i64 [ %442, %440 ], [ %278, %276 ]
  %447 = icmp slt i64 %279, %43
  br i1 %447, label %448, label %455

448:                                              ; preds = %444, %452
  %449 = phi i64 [ %453, %452 ], [ %279, %444 ]
  %450 = getelementptr inbounds i8, ptr %44, i64 %449
  %451 = load i8, ptr %450, align 1
  switch i8 %451, label %455 [
    i8 32, label %452
    i8 13, label %452
    i8 9, label %452
    i8 10, label %452
  ]

452:                                              ; preds = %448, %448, %448, %448
  %453 = add i64 %449, 1
  %454 = icmp eq i64 %453, %43
  br i1 %454, label %808, label %448

455:                                              ; preds = %448, %444
  %456 = phi i64 [ %279, %444 ], [ %449, %448 ]
  %457 = icmp slt i64 %456, %43
  br i1 %457, label %458, label %808

458:                                              ; preds = %455
  br i1 %445, label %489, label %459

459:                                              ; preds = %458
  %460 = load ptr, ptr %27, align 8
  %461 = icmp eq ptr %460, null
  br i1 %461, label %485, label %462

462:                                              ; preds = %459
  %463 = getelementptr inbounds i8, ptr %280, i64 8
  %464 = load i64, ptr %463, align 8
  %465 = icmp slt i64 %464, %279
  br i1 %465, label %471, label %466

466:                                              ; preds = %471, %462
  %467 = load ptr, ptr %22, align 8
  %468 = getelementptr inbounds i8, ptr %467, i64 %456
  %469 = load i8, ptr %468, align 1
  %470 = icmp eq i8 %469, 44
  br i1 %470, label %481, label %477

471:                                              ; preds = %462, %471
  %472 = phi i64 [ %475, %471 ], [ %464, %462 ]
  %473 = load ptr, ptr %27, align 8
  %474 = getelementptr inbounds i8, ptr %473, i64 %472
  store i8 32, ptr %474, align 1
  %475 = add i64 %472, 1
  %476 = icmp eq i64 %475, %279
  br i1 %476, label %466, label %471

477:                                              ; preds = %466
  %478 = getelementptr inbounds i8, ptr %280, i64 48
  %479 = load i64, ptr %478, align 8
  %480 = icmp sgt i64 %479, -1
  br i1 %480, label %481, label %485

481:                                              ; preds = %477, %466
  %482 = phi i64 [ %456, %466 ], [ %479, %477 ]
  %483 = load ptr, ptr %27, align 8
  %484 = getelementptr inbounds i8, ptr %483, i64 %482
  store i8 32, ptr %484, align 1
  br label %485

485:                                              ; preds = %481, %477, %459
  %486 = getelementptr inbounds i8, ptr %44, i64 %456
  %487 = load i8, ptr %486, align 1
  %488 = icmp eq i8 %487, 44
  br i1 %488, label %495, label %526

489:                                              ; preds = %458
  %490 = getelementptr inbounds i8, ptr %44, i64 %456
  %491 = load i8, ptr %490, align 1
  %492 = icmp eq i8 %491, 44
  br i1 %492, label %493, label %526

493:                                              ; preds = %489
  %494 = getelementptr inbounds i8, ptr %280, i64 48
  store i64 %456, ptr %494, align 8
  br label %495

495:                                              ; preds = %493, %485
  %496 = add i64 %456, 1
  %497 = icmp slt i64 %496, %43
  br i1 %497, label %498, label %505

498:                                              ; preds = %495, %502
  %499 = phi i64 [ %503, %502 ], [ %496, %495 ]
  %500 = getelementptr inbounds i8, ptr %44, i64 %499
  %501 = load i8, ptr %500, align 1
  switch i8 %501, label %505 [
    i8 32, label %502
    i8 13, label %502
    i8 9, label %502
    i8 10, label %502
  ]

502:                                              ; preds = %498, %498, %498, %498
  %503 = add i64 %499, 1
  %504 = icmp eq i64 %503, %43
  br i1 %504, label %808, label %498

505:                                              ; preds = %498, %495
  %506 = phi i64 [ %496, %495 ], [ %499, %498 ]
  %507 = icmp slt i64 %506, %43
  br i1 %507, label %508, label %808

508:                                              ; preds = %505
  %509 = load i8, ptr %281, align 8
  %510 = icmp eq i8 %509, 0
  br i1 %510, label %514, label %511

511:                                              ; preds = %508
  %512 = getelementptr inbounds i8, ptr %44, i64 %506
  %513 = load i8, ptr %512, align 1
  br label %563

514:                                              ; preds = %508
  %515 = load i64, ptr %280, align 8
  %516 = icmp sgt i64 %515, -1
  br i1 %516, label %517, label %801

517:                                              ; preds = %514
  %518 = load ptr, ptr %0, align 8
  %519 = getelementptr inbounds %struct.node, ptr %518, i64 %515
  %520 = getelementptr inbounds i8, ptr %519, i64 40
  %521 = load i64, ptr %520, align 8
  %522 = icmp eq i64 %521, 2
  br i1 %522, label %523, label %801

523:                                              ; preds = %517
  %524 = getelementptr inbounds i8, ptr %519, i64 16
  %525 = load i64, ptr %524, align 8
  br label %801

526:                                              ; preds = %489, %485
  %527 = phi i8 [ %491, %489 ], [ %487, %485 ]
  %528 = zext i8 %527 to i32
  %529 = load i8, ptr %281, align 8
  %530 = icmp eq i8 %529, 0
  %531 = select i1 %530, i32 93, i32 125
  %532 = icmp eq i32 %531, %528
  br i1 %532, label %533, label %808

533:                                              ; preds = %526
  %534 = getelementptr inbounds i8, ptr %280, i64 57
  %535 = load i8, ptr %534, align 1
  %536 = icmp eq i8 %535, 0
  br i1 %536, label %543, label %537

537:                                              ; preds = %533
  %538 = load ptr, ptr %10, align 8
  %539 = icmp eq ptr %538, null
  br i1 %539, label %543, label %540

540:                                              ; preds = %537
  %541 = add i64 %446, 1
  %542 = getelementptr inbounds i8, ptr %538, i64 %446
  store i8 125, ptr %542, align 1
  br label %543

543:                                              ; preds = %540, %537, %533, %121
  %544 = phi i64 [ %456, %540 ], [ %456, %537 ], [ %456, %533 ], [ %119, %121 ]
  %545 = phi i64 [ %277, %540 ], [ %277, %537 ], [ %277, %533 ], [ %70, %121 ]
  %546 = phi i64 [ %541, %540 ], [ %446, %537 ], [ %446, %533 ], [ %65, %121 ]
  %547 = freeze i64 %546
  %548 = add i64 %544, 1
  %549 = add i64 %545, -1
  %550 = icmp sgt i64 %545, 0
  br i1 %550, label %276, label %551

551:                                              ; preds = %543
  %552 = icmp slt i64 %548, %43
  br i1 %552, label %553, label %560

553:                                              ; preds = %551, %557
  %554 = phi i64 [ %558, %557 ], [ %548, %551 ]
  %555 = getelementptr inbounds i8, ptr %44, i64 %554
  %556 = load i8, ptr %555, align 1
  switch i8 %556, label %560 [
    i8 32, label %557
    i8 13, label %557
    i8 9, label %557
    i8 10, label %557
  ]

557:                                              ; preds = %553, %553, %553, %553
  %558 = add i64 %554, 1
  %559 = icmp eq i64 %558, %43
  br i1 %559, label %812, label %553

560:                                              ; preds = %553, %551
  %561 = phi i64 [ %548, %551 ], [ %554, %553 ]
  %562 = icmp eq i64 %561, %43
  br i1 %562, label %812, label %808

563:                                              ; preds = %511, %138
  %564 = phi i8 [ %123, %138 ], [ %513, %511 ]
  %565 = phi i64 [ %70, %138 ], [ %277, %511 ]
  %566 = phi i64 [ %65, %138 ], [ %446, %511 ]
  %567 = phi i64 [ %119, %138 ], [ %506, %511 ]
  %568 = getelementptr inbounds i8, ptr %44, i64 %567
  %569 = icmp eq i8 %564, 34
  br i1 %569, label %570, label %808

570:                                              ; preds = %563
  %571 = getelementptr inbounds %struct.level, ptr %45, i64 %565
  store i32 0, ptr %9, align 4
  %572 = getelementptr inbounds i8, ptr %571, i64 8
  store i64 %567, ptr %572, align 8
  %573 = add i64 %567, 1
  %574 = call fastcc i64 @end_of_string(ptr %44, i64 %573, i64 %43, ptr %9)
  %575 = icmp slt i64 %574, 0
  br i1 %575, label %798, label %576

576:                                              ; preds = %570
  %577 = getelementptr inbounds i8, ptr %571, i64 16
  store i64 %574, ptr %577, align 8
  %578 = getelementptr inbounds i8, ptr %571, i64 32
  store i64 -1, ptr %578, align 8
  %579 = load i64, ptr %571, align 8
  %580 = icmp sgt i64 %579, -1
  br i1 %580, label %581, label %768

581:                                              ; preds = %576
  %582 = load ptr, ptr %0, align 8
  %583 = getelementptr inbounds %struct.node, ptr %582, i64 %579
  %584 = getelementptr inbounds i8, ptr %583, i64 40
  %585 = load i64, ptr %584, align 8
  switch i64 %585, label %768 [
    i64 1, label %586
    i64 3, label %765
  ]

586:                                              ; preds = %581
  %587 = getelementptr inbounds i8, ptr %568, i64 1
  %588 = sub i64 %574, %567
  %589 = add i64 %588, -2
  %590 = load i32, ptr %9, align 4
  %591 = getelementptr inbounds i8, ptr %571, i64 40
  %592 = load i64, ptr %591, align 8
  %593 = add i64 %592, 1
  %594 = getelementptr inbounds i8, ptr %583, i64 16
  %595 = load i64, ptr %594, align 8
  %596 = getelementptr inbounds i8, ptr %583, i64 24
  %597 = load i64, ptr %596, align 8
  %598 = add i64 %597, %595
  %599 = icmp slt i64 %593, %598
  %600 = select i1 %599, i64 %593, i64 %595
  %601 = icmp eq i64 %597, 0
  br i1 %601, label %655, label %602

602:                                              ; preds = %586
  %603 = getelementptr inbounds %struct.node, ptr %582, i64 %600
  %604 = icmp eq i32 %590, 0
  br i1 %604, label %605, label %609

605:                                              ; preds = %602
  %606 = getelementptr inbounds i8, ptr %603, i64 8
  %607 = load i64, ptr %606, align 8
  %608 = icmp eq i64 %607, %589
  br i1 %608, label %609, label %655

609:                                              ; preds = %605, %602
  store i64 0, ptr %7, align 8
  %610 = icmp sgt i64 %588, 2
  %611 = getelementptr inbounds i8, ptr %603, i64 8
  br i1 %610, label %617, label %612

612:                                              ; preds = %609
  %613 = load i64, ptr %611, align 8
  br label %651

614:                                              ; preds = %646
  %615 = load i64, ptr %7, align 8
  %616 = icmp slt i64 %615, %589
  br i1 %616, label %617, label %651

617:                                              ; preds = %609, %614
  %618 = phi i64 [ %615, %614 ], [ 0, %609 ]
  %619 = phi i64 [ %637, %614 ], [ 0, %609 ]
  br i1 %604, label %622, label %620

620:                                              ; preds = %617
  %621 = call fastcc i32 @spelled(ptr %587, ptr %7, ptr %6)
  br label %626

622:                                              ; preds = %617
  %623 = add i64 %618, 1
  store i64 %623, ptr %7, align 8
  %624 = getelementptr inbounds i8, ptr %587, i64 %618
  %625 = load i8, ptr %624, align 1
  store i8 %625, ptr %6, align 1
  br label %626

626:                                              ; preds = %622, %620
  %627 = phi i32 [ %621, %620 ], [ 1, %622 ]
  %628 = zext i32 %627 to i64
  %629 = load i64, ptr %611, align 8
  %630 = sub i64 %629, %619
  %631 = icmp slt i64 %630, %628
  br i1 %631, label %650, label %632

632:                                              ; preds = %626
  %633 = load ptr, ptr %603, align 8
  %634 = add i64 %619, 1
  %635 = add i32 %627, -1
  %636 = zext i32 %635 to i64
  %637 = add i64 %634, %636
  br label %638

638:                                              ; preds = %646, %632
  %639 = phi i64 [ 0, %632 ], [ %648, %646 ]
  %640 = phi i64 [ %619, %632 ], [ %647, %646 ]
  %641 = getelementptr inbounds i8, ptr %633, i64 %640
  %642 = load i8, ptr %641, align 1
  %643 = getelementptr inbounds i8, ptr %6, i64 %639
  %644 = load i8, ptr %643, align 1
  %645 = icmp eq i8 %642, %644
  br i1 %645, label %646, label %650

646:                                              ; preds = %638
  %647 = add i64 %640, 1
  %648 = add i64 %639, 1
  %649 = icmp eq i64 %648, %628
  br i1 %649, label %614, label %638

650:                                              ; preds = %626, %638
  br label %655

651:                                              ; preds = %614, %612
  %652 = phi i64 [ %613, %612 ], [ %629, %614 ]
  %653 = phi i64 [ 0, %612 ], [ %637, %614 ]
  %654 = icmp eq i64 %653, %652
  br i1 %654, label %761, label %655

655:                                              ; preds = %651, %650, %605, %586
  %656 = trunc i64 %579 to i32
  %657 = xor i32 %656, -2128831035
  store i64 0, ptr %5, align 8
  %658 = icmp sgt i64 %588, 2
  br i1 %658, label %659, label %686

659:                                              ; preds = %655
  %660 = icmp eq i32 %590, 0
  br label %664

661:                                              ; preds = %676
  %662 = load i64, ptr %5, align 8
  %663 = icmp slt i64 %662, %589
  br i1 %663, label %664, label %686

664:                                              ; preds = %661, %659
  %665 = phi i64 [ 0, %659 ], [ %662, %661 ]
  %666 = phi i32 [ %657, %659 ], [ %683, %661 ]
  br i1 %660, label %670, label %667

667:                                              ; preds = %664
  %668 = call fastcc i32 @spelled(ptr %587, ptr %5, ptr %4)
  %669 = zext i32 %668 to i64
  br label %674

670:                                              ; preds = %664
  %671 = add i64 %665, 1
  store i64 %671, ptr %5, align 8
  %672 = getelementptr inbounds i8, ptr %587, i64 %665
  %673 = load i8, ptr %672, align 1
  store i8 %673, ptr %4, align 1
  br label %674

674:                                              ; preds = %670, %667
  %675 = phi i64 [ %669, %667 ], [ 1, %670 ]
  br label %676

676:                                              ; preds = %676, %674
  %677 = phi i64 [ 0, %674 ], [ %684, %676 ]
  %678 = phi i32 [ %666, %674 ], [ %683, %676 ]
  %679 = getelementptr inbounds i8, ptr %4, i64 %677
  %680 = load i8, ptr %679, align 1
  %681 = zext i8 %680 to i32
  %682 = xor i32 %678, %681
  %683 = mul i32 %682, 16777619
  %684 = add i64 %677, 1
  %685 = icmp eq i64 %684, %675
  br i1 %685, label %661, label %676

686:                                              ; preds = %661, %655
  %687 = phi i32 [ %657, %655 ], [ %683, %661 ]
  %688 = zext i32 %687 to i64
  %689 = load i64, ptr %28, align 8
  %690 = and i64 %689, %688
  %691 = load ptr, ptr %29, align 8
  %692 = getelementptr inbounds i64, ptr %691, i64 %690
  %693 = load i64, ptr %692, align 8
  %694 = icmp sgt i64 %693, -1
  br i1 %694, label %695, label %760

695:                                              ; preds = %686
  %696 = icmp eq i32 %590, 0
  br label %697

697:                                              ; preds = %754, %695
  %698 = phi i64 [ %693, %695 ], [ %758, %754 ]
  %699 = phi i64 [ %690, %695 ], [ %756, %754 ]
  %700 = icmp sge i64 %698, %595
  %701 = icmp slt i64 %698, %598
  %702 = select i1 %700, i1 %701, i1 false
  br i1 %702, label %703, label %754

703:                                              ; preds = %697
  %704 = getelementptr inbounds %struct.node, ptr %582, i64 %698
  br i1 %696, label %705, label %709

705:                                              ; preds = %703
  %706 = getelementptr inbounds i8, ptr %704, i64 8
  %707 = load i64, ptr %706, align 8
  %708 = icmp eq i64 %707, %589
  br i1 %708, label %709, label %754

709:                                              ; preds = %705, %703
  store i64 0, ptr %3, align 8
  %710 = getelementptr inbounds i8, ptr %704, i64 8
  br i1 %658, label %716, label %711

711:                                              ; preds = %709
  %712 = load i64, ptr %710, align 8
  br label %750

713:                                              ; preds = %745
  %714 = load i64, ptr %3, align 8
  %715 = icmp slt i64 %714, %589
  br i1 %715, label %716, label %750

716:                                              ; preds = %709, %713
  %717 = phi i64 [ %714, %713 ], [ 0, %709 ]
  %718 = phi i64 [ %736, %713 ], [ 0, %709 ]
  br i1 %696, label %721, label %719

719:                                              ; preds = %716
  %720 = call fastcc i32 @spelled(ptr %587, ptr %3, ptr %2)
  br label %725

721:                                              ; preds = %716
  %722 = add i64 %717, 1
  store i64 %722, ptr %3, align 8
  %723 = getelementptr inbounds i8, ptr %587, i64 %717
  %724 = load i8, ptr %723, align 1
  store i8 %724, ptr %2, align 1
  br label %725

725:                                              ; preds = %721, %719
  %726 = phi i32 [ %720, %719 ], [ 1, %721 ]
  %727 = zext i32 %726 to i64
  %728 = load i64, ptr %710, align 8
  %729 = sub i64 %728, %718
  %730 = icmp slt i64 %729, %727
  br i1 %730, label %749, label %731

731:                                              ; preds = %725
  %732 = load ptr, ptr %704, align 8
  %733 = add i64 %718, 1
  %734 = add i32 %726, -1
  %735 = zext i32 %734 to i64
  %736 = add i64 %733, %735
  br label %737

737:                                              ; preds = %745, %731
  %738 = phi i64 [ 0, %731 ], [ %747, %745 ]
  %739 = phi i64 [ %718, %731 ], [ %746, %745 ]
  %740 = getelementptr inbounds i8, ptr %732, i64 %739
  %741 = load i8, ptr %740, align 1
  %742 = getelementptr inbounds i8, ptr %2, i64 %738
  %743 = load i8, ptr %742, align 1
  %744 = icmp eq i8 %741, %743
  br i1 %744, label %745, label %749

745:                                              ; preds = %737
  %746 = add i64 %739, 1
  %747 = add i64 %738, 1
  %748 = icmp eq i64 %747, %727
  br i1 %748, label %713, label %737

749:                                              ; preds = %725, %737
  br label %754

750:                                              ; preds = %713, %711
  %751 = phi i64 [ %712, %711 ], [ %728, %713 ]
  %752 = phi i64 [ 0, %711 ], [ %736, %713 ]
  %753 = icmp eq i64 %752, %751
  br i1 %753, label %761, label %754

754:                                              ; preds = %750, %749, %705, %697
  %755 = add i64 %699, 1
  %756 = and i64 %755, %689
  %757 = getelementptr inbounds i64, ptr %691, i64 %756
  %758 = load i64, ptr %757, align 8
  %759 = icmp sgt i64 %758, -1
  br i1 %759, label %697, label %760

760:                                              ; preds = %754, %686
  store i64 -1, ptr %578, align 8
  br label %768

761:                                              ; preds = %750, %651
  %762 = phi i64 [ %600, %651 ], [ %698, %750 ]
  store i64 %762, ptr %578, align 8
  %763 = icmp sgt i64 %762, -1
  br i1 %763, label %764, label %768

764:                                              ; preds = %761
  store i64 %762, ptr %591, align 8
  br label %768

765:                                              ; preds = %581
  %766 = getelementptr inbounds i8, ptr %583, i64 16
  %767 = load i64, ptr %766, align 8
  store i64 %767, ptr %578, align 8
  br label %768

768:                                              ; preds = %765, %764, %761, %760, %581, %576
  %769 = phi i64 [ -1, %760 ], [ %767, %765 ], [ %762, %764 ], [ %762, %761 ], [ -1, %581 ], [ -1, %576 ]
  %770 = icmp slt i64 %574, %43
  br i1 %770, label %771, label %778

771:                                              ; preds = %768, %775
  %772 = phi i64 [ %776, %775 ], [ %574, %768 ]
  %773 = getelementptr inbounds i8, ptr %44, i64 %772
  %774 = load i8, ptr %773, align 1
  switch i8 %774, label %778 [
    i8 32, label %775
    i8 13, label %775
    i8 9, label %775
    i8 10, label %775
  ]

775:                                              ; preds = %771, %771, %771, %771
  %776 = add i64 %772, 1
  %777 = icmp eq i64 %776, %43
  br i1 %777, label %798, label %771

778:                                              ; preds = %771, %768
  %779 = phi i64 [ %574, %768 ], [ %772, %771 ]
  %780 = icmp slt i64 %779, %43
  br i1 %780, label %781, label %798

781:                                              ; preds = %778
  %782 = getelementptr inbounds i8, ptr %44, i64 %779
  %783 = load i8, ptr %782, align 1
  %784 = icmp eq i8 %783, 58
  br i1 %784, label %785, label %798

785:                                              ; preds = %781
  %786 = add i64 %779, 1
  %787 = icmp slt i64 %786, %43
  br i1 %787, label %788, label %795

788:                                              ; preds = %785, %792
  %789 = phi i64 [ %793, %792 ], [ %786, %785 ]
  %790 = getelementptr inbounds i8, ptr %44, i64 %789
  %791 = load i8, ptr %790, align 1
  switch i8 %791, label %795 [
    i8 32, label %792
    i8 13, label %792
    i8 9, label %792
    i8 10, label %792
  ]

792:                                              ; preds = %788, %788, %788, %788
  %793 = add i64 %789, 1
  %794 = icmp eq i64 %793, %43
  br i1 %794, label %798, label %788

795:                                              ; preds = %788, %785
  %796 = phi i64 [ %786, %785 ], [ %789, %788 ]
  %797 = icmp slt i64 %796, %43
  br i1 %797, label %799, label %798

798:                                              ; preds = %795, %781, %778, %570, %775, %792
  br label %808

799:                                              ; preds = %795
  %800 = getelementptr inbounds i8, ptr %571, i64 24
  store i64 %796, ptr %800, align 8
  br label %801

801:                                              ; preds = %799, %523, %517, %514, %138, %135, %129
  %802 = phi i64 [ %796, %799 ], [ %506, %523 ], [ %506, %514 ], [ %119, %129 ], [ %119, %135 ], [ %506, %517 ], [ %119, %138 ]
  %803 = phi i64 [ %566, %799 ], [ %446, %523 ], [ %446, %514 ], [ %65, %129 ], [ %65, %135 ], [ %446, %517 ], [ %65, %138 ]
  %804 = phi i64 [ %565, %799 ], [ %277, %523 ], [ %277, %514 ], [ %70, %129 ], [ %70, %135 ], [ %277, %517 ], [ %70, %138 ]
  %805 = phi i64 [ %769, %799 ], [ %525, %523 ], [ -1, %514 ], [ -1, %129 ], [ %137, %135 ], [ -1, %517 ], [ -1, %138 ]
  %806 = getelementptr inbounds i8, ptr %44, i64 %802
  %807 = load i8, ptr %806, align 1
  br label %61

808:                                              ; preds = %51, %563, %526, %505, %455, %118, %69, %273, %115, %452, %502, %302, %57, %54, %272, %560, %798
  %809 = phi i64 [ -2, %115 ], [ -2, %560 ], [ -4, %302 ], [ -2, %272 ], [ -2, %502 ], [ -2, %54 ], [ -2, %57 ], [ -2, %273 ], [ -2, %798 ], [ -2, %452 ], [ -2, %563 ], [ -2, %526 ], [ -2, %505 ], [ -2, %455 ], [ -2, %118 ], [ -3, %69 ], [ -2, %51 ]
  %810 = trunc i64 %809 to i8
  %811 = xor i8 %810, -1
  br label %817

812:                                              ; preds = %557, %560
  %813 = icmp slt i64 %547, 0
  %814 = trunc i64 %547 to i8
  %815 = xor i8 %814, -1
  %816 = select i1 %813, i8 %815, i8 0
  br label %817

817:                                              ; preds = %812, %808
  %818 = phi i64 [ %547, %812 ], [ %809, %808 ]
  %819 = phi i8 [ %816, %812 ], [ %811, %808 ]
  %820 = load ptr, ptr %31, align 8
  %821 = getelementptr inbounds i8, ptr %820, i64 %36
  store i8 %819, ptr %821, align 1
  %822 = load ptr, ptr %10, align 8
  %823 = icmp eq ptr %822, null
  br i1 %823, label %829, label %824

824:                                              ; preds = %817
  %825 = icmp slt i64 %818, 0
  %826 = select i1 %825, i64 %35, i64 %818
  %827 = load ptr, ptr %32, align 8
  %828 = getelementptr inbounds i64, ptr %827, i64 %40
  store i64 %826, ptr %828, align 8
  br label %829

829:                                              ; preds = %817, %824
  %830 = phi i64 [ %826, %824 ], [ %35, %817 ]
  %831 = load i64, ptr %17, align 8
  %832 = icmp slt i64 %40, %831
  br i1 %832, label %34, label %33
}

define void @gather_texts(ptr %0, i64 %1, ptr %2, ptr %3, ptr %4, ptr %5) {
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %9, label %8

8:                                                ; preds = %30, %6
  ret void

9:                                                ; preds = %6, %30
  %10 = phi i64 [ %31, %30 ], [ 0, %6 ]
  %11 = getelementptr inbounds i64, ptr %2, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = icmp slt i64 %12, 0
  br i1 %13, label %30, label %14

14:                                               ; preds = %9
  %15 = getelementptr inbounds i8, ptr %0, i64 %12
  %16 = getelementptr inbounds i64, ptr %5, i64 %10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %4, i64 %17
  %19 = getelementptr inbounds i64, ptr %3, i64 %10
  %20 = load i64, ptr %19, align 8
  %21 = sub i64 %20, %12
  %22 = icmp sgt i64 %21, 0
  br i1 %22, label %23, label %30

23:                                               ; preds = %14, %23
  %24 = phi i64 [ %28, %23 ], [ 0, %14 ]
  %25 = getelementptr inbounds i8, ptr %15, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = getelementptr inbounds i8, ptr %18, i64 %24
  store i8 %26, ptr %27, align 1
  %28 = add i64 %24, 1
  %29 = icmp eq i64 %28, %21
  br i1 %29, label %30, label %23

30:                                               ; preds = %23, %14, %9
  %31 = add i64 %10, 1
  %32 = icmp eq i64 %31, %1
  br i1 %32, label %8, label %9
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %45

6:                                                ; preds = %4, %42
  %7 = phi i64 [ %43, %42 ], [ %1, %4 ]
  %8 = add i64 %7, 1
  %9 = getelementptr inbounds i8, ptr %0, i64 %7
  %10 = load i8, ptr %9, align 1
  %11 = icmp eq i8 %10, 34
  br i1 %11, label %45, label %12

12:                                               ; preds = %6
  %13 = icmp ult i8 %10, 32
  br i1 %13, label %45, label %14

14:                                               ; preds = %12
  %15 = icmp eq i8 %10, 92
  br i1 %15, label %16, label %42

16:                                               ; preds = %14
  store i32 1, ptr %3, align 4
  %17 = icmp slt i64 %8, %2
  br i1 %17, label %18, label %45

18:                                               ; preds = %16
  %19 = add i64 %7, 2
  %20 = getelementptr inbounds i8, ptr %0, i64 %8
  %21 = load i8, ptr %20, align 1
  switch i8 %21, label %45 [
    i8 34, label %42
    i8 92, label %42
    i8 47, label %42
    i8 98, label %42
    i8 102, label %42
    i8 110, label %42
    i8 114, label %42
    i8 116, label %42
    i8 117, label %22
  ]

22:                                               ; preds = %18
  %23 = sub i64 %2, %19
  %24 = icmp slt i64 %23, 4
  br i1 %24, label %45, label %25

25:                                               ; preds = %22
  %26 = getelementptr i8, ptr %0, i64 %19
  br label %30

27:                                               ; preds = %30
  %28 = add i64 %31, 1
  %29 = icmp eq i64 %28, 4
  br i1 %29, label %40, label %30

30:                                               ; preds = %25, %27
  %31 = phi i64 [ 0, %25 ], [ %28, %27 ]
  %32 = getelementptr i8, ptr %26, i64 %31
  %33 = load i8, ptr %32, align 1
  %34 = add i8 %33, -58
  %35 = icmp ult i8 %34, -10
  %36 = and i8 %33, -33
  %37 = add i8 %36, -71
  %38 = icmp ult i8 %37, -6
  %39 = and i1 %35, %38
  br i1 %39, label %45, label %27

40:                                               ; preds = %27
  %41 = add i64 %7, 6
  br label %42

42:                                               ; preds = %18, %18, %18, %18, %18, %18, %18, %18, %40, %14
  %43 = phi i64 [ %19, %18 ], [ %41, %40 ], [ %8, %14 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ]
  %44 = icmp slt i64 %43, %2
  br i1 %44, label %6, label %45

45:                                               ; preds = %42, %6, %12, %22, %18, %16, %30, %4
  %46 = phi i64 [ -1, %30 ], [ -1, %4 ], [ %8, %6 ], [ -1, %12 ], [ -1, %22 ], [ -1, %18 ], [ -1, %42 ], [ -1, %16 ]
  ret i64 %46
}

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}
